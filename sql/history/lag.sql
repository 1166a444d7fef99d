-- title: How long new versions take to reach the cache
-- How many days a new version takes to its first build, if a package repository was ingested. They begin with the commit in
-- which the version appeared in its recipe, and end with the first snapshot that has a build of it. Counted are versions that appeared after the series had first observed
-- their package, and before its newest snapshot: of others the first build may be older than what the ledger has.
-- The row without a stack is for the whole cache, and each other row for one stack: the first snapshot in which the
-- stack has a build. `versions` are those that were built, and the days are theirs. `never` counts versions without a
-- build up to the newest snapshot, of packages of which that snapshot has builds; the days leave them out.
-- `--by version` lists the versions.
-- param: series glob = *        only series that match
-- param: package glob = *       only packages that match
-- param: stack glob = null      only builds in stacks that match; '(no stack)': in none
-- chart: bars: stack=all median_days each series
-- caption: Days from a new version to its first build (median)
-- unit: days median_days mean_days max_days
-- filters: looks
-- form: history/lag by stack
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
-- id: of the stack, 0 for '(no stack)', -1 for the whole cache
member AS MATERIALIZED (
  SELECT m.stack_set_id, coalesce(t.stack_id, 0) AS id
  FROM stack_set_stacks m
  LEFT JOIN stack t ON t.name = m.stack
  WHERE m.stack <> 'root' AND (:stack IS NULL OR m.stack = :stack OR glob(:stack, m.stack))),
first_build AS MATERIALIZED (
  SELECT series_id, package_id, version, -1 AS id, min(first) AS first
  FROM build
  GROUP BY series_id, package_id, version
  UNION ALL
  SELECT b.series_id, b.package_id, b.version, m.id, min(b.first)
  FROM build b
  CROSS JOIN member m ON m.stack_set_id = b.stack_set_id
  GROUP BY b.series_id, b.package_id, b.version, m.id),
line AS MATERIALIZED (
  SELECT DISTINCT series_id, package_id, -1 AS id FROM there
  UNION
  SELECT t.series_id, t.package_id, m.id
  FROM there t
  CROSS JOIN member m ON m.stack_set_id = t.stack_set_id),
waited AS (
  SELECT f.series_id, f.id, f.first - w.moment AS seconds
  FROM first_build f
  JOIN awaited w ON w.series_id = f.series_id AND w.package_id = f.package_id AND w.version = f.version
  WHERE f.first >= w.moment
  UNION ALL
  SELECT w.series_id, n.id, NULL
  FROM awaited w
  JOIN line n ON n.series_id = w.series_id AND n.package_id = w.package_id
  LEFT JOIN first_build f
    ON f.series_id = w.series_id AND f.package_id = w.package_id AND f.version = w.version AND f.id = n.id
  WHERE f.id IS NULL),
ranked AS (
  SELECT series_id, id, seconds,
    row_number() OVER (PARTITION BY series_id, id ORDER BY seconds NULLS LAST) AS place,
    count(seconds) OVER (PARTITION BY series_id, id)                           AS versions
  FROM waited)
SELECT
  r.name                                                               AS series,
  CASE k.id WHEN -1 THEN NULL WHEN 0 THEN '(no stack)' ELSE t.name END AS stack,
  k.versions,
  k.median_days,
  k.mean_days,
  k.max_days,
  k.never
FROM (
  SELECT series_id, id, versions,
    -- Tenths of days, half up: of the one or two in the middle, of all, and of the longest.
    (20 * sum(middle) + 86400 * count(middle)) / nullif(172800 * count(middle), 0) / 10.0 AS median_days,
    (20 * sum(seconds) + 86400 * versions) / nullif(172800 * versions, 0) / 10.0 AS mean_days,
    (20 * max(seconds) + 86400) / 172800 / 10.0                                  AS max_days,
    count(*) FILTER (WHERE seconds IS NULL)                                      AS never
  FROM (SELECT *, CASE WHEN 2 * place BETWEEN versions AND versions + 2 THEN seconds END AS middle FROM ranked) a
  GROUP BY series_id, id, versions) k
JOIN series r ON r.series_id = k.series_id
LEFT JOIN stack t ON t.stack_id = k.id
ORDER BY r.name, stack NULLS FIRST;
