-- title: New versions, and their first builds
-- How many days a new version takes to its first build, if a package repository was ingested. They begin with the commit in
-- which the version appeared in its recipe, and end with the first snapshot that has a build of it. Counted are versions that appeared after the series had first observed
-- their package, and before its newest snapshot: of others the first build may be older than what the ledger has.
-- One row for each version. `first_build` is the moment of that snapshot. It is empty for a version without a build up to
-- the newest snapshot, if that snapshot has builds of the package.
-- param: series glob = *        only series that match
-- param: package glob = *       only packages that match
-- param: stack glob = null      only builds in stacks that match; '(no stack)': in none
-- chart: bars: package,version days each series
-- caption: Days from a new version to its first build
-- unit: days days
-- filters: looks
-- form: history/lag by version
WITH
-- When each version appeared in a recipe. What the first commit of a repository has may be older.
appeared AS MATERIALIZED (
  SELECT k.package_id, a.version, min(c.committed_at) AS moment
  FROM package k
  CROSS JOIN recipe_package r ON r.name = k.name
  CROSS JOIN recipe_version a ON a.recipe_package_id = r.recipe_package_id
  CROSS JOIN recipe_commit c ON c.recipe_commit_id = a.recipe_commit_id
  CROSS JOIN package_repository y ON y.package_repository_id = c.package_repository_id
  WHERE glob(:package, k.name)
  GROUP BY k.package_id, a.version
  HAVING max(CASE WHEN c.committed_at <= y.first_at THEN 1 ELSE 0 END) = 0),
-- When each series first observed a package with such versions, and last.
observed AS MATERIALIZED (
  SELECT r.series_id, p.package_id,
    (SELECT o.taken_at FROM observations o
     WHERE o.series_id = r.series_id AND o.package_id = p.package_id
     ORDER BY o.taken_at LIMIT 1) AS first,
    (SELECT o.taken_at FROM observations o
     WHERE o.series_id = r.series_id AND o.package_id = p.package_id
     ORDER BY o.taken_at DESC LIMIT 1) AS newest
  FROM series r
  CROSS JOIN (SELECT DISTINCT package_id FROM appeared) p
  WHERE glob(:series, r.name)),
awaited AS MATERIALIZED (
  SELECT o.series_id, o.package_id, a.version, a.moment
  FROM observed o
  CROSS JOIN appeared a ON a.package_id = o.package_id
  WHERE a.moment > o.first AND a.moment < o.newest),
chosen AS MATERIALIZED (
  SELECT stack_set_id FROM stack_set_stacks WHERE stack = :stack OR glob(:stack, stack)),
build AS MATERIALIZED (
  SELECT w.series_id, w.package_id, w.version, p.stack_set_id, min(p.valid_from) AS first
  FROM awaited w
  CROSS JOIN version v ON v.version = w.version
  CROSS JOIN presence p ON p.series_id = w.series_id AND p.package_id = w.package_id
  CROSS JOIN asked_looks l ON l.look_id = p.look_id AND l.version_id = v.version_id
  -- The first condition holds already: with a condition on presence alone SQLite would first read all of it (a Bloom filter).
  WHERE :stack IS NULL OR (p.series_id = w.series_id AND p.stack_set_id IN (SELECT stack_set_id FROM chosen))
  GROUP BY w.series_id, w.package_id, w.version, p.stack_set_id),
-- The packages that the newest snapshots have.
there AS MATERIALIZED (
  SELECT DISTINCT p.series_id, p.package_id, p.stack_set_id
  FROM (SELECT DISTINCT series_id, package_id FROM awaited) w
  CROSS JOIN presence p ON p.series_id = w.series_id AND p.package_id = w.package_id
  CROSS JOIN asked_looks l ON l.look_id = p.look_id
  WHERE p.valid_to IS NULL
    AND (:stack IS NULL OR p.stack_set_id IN (SELECT stack_set_id FROM chosen))),
first_build AS MATERIALIZED (
  SELECT series_id, package_id, version, min(first) AS first
  FROM build
  GROUP BY series_id, package_id, version)
SELECT
  r.name                                                   AS series,
  k.name                                                   AS package,
  w.version,
  strftime('%Y-%m-%dT%H:%M:%SZ', w.moment, 'unixepoch')    AS appeared,
  strftime('%Y-%m-%dT%H:%M:%SZ', f.first, 'unixepoch')     AS first_build,
  -- Tenths of days, rounded half up in integers.
  (20 * (f.first - w.moment) + CASE WHEN f.first < w.moment THEN -86400 ELSE 86400 END) / 172800 / 10.0 AS days
FROM awaited w
LEFT JOIN first_build f ON f.series_id = w.series_id AND f.package_id = w.package_id AND f.version = w.version
LEFT JOIN (SELECT DISTINCT series_id, package_id FROM there) t ON t.series_id = w.series_id AND t.package_id = w.package_id
JOIN series r ON r.series_id = w.series_id
JOIN package k ON k.package_id = w.package_id
WHERE f.first >= w.moment
   OR (f.first IS NULL AND t.package_id IS NOT NULL)
ORDER BY r.name, k.name, w.moment, w.version;
