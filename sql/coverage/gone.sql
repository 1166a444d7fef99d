-- title: Packages that are gone
-- Packages that earlier snapshots of the series had and this one has not: when they were seen last, since when they are gone,
-- and with how many builds and which version (the greatest) they were seen last. With --stack, packages that are gone from the
-- stacks that match. The last ones to go come first.
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
-- param: stack glob = null      only builds of stacks that match; '(no stack)': in none
-- filters: looks
WITH interval AS NOT MATERIALIZED (
  SELECT s.taken_at, p.series_id, p.package_id, p.look_id, p.valid_to
  FROM snapshot s
  CROSS JOIN presence p ON p.series_id = s.series_id AND +p.valid_from <= s.taken_at
  CROSS JOIN asked_looks USING (look_id)
  WHERE s.name = :at
    AND p.package_id IN (SELECT package_id FROM package WHERE glob(:package, name))
    AND (:stack IS NULL OR p.stack_set_id IN (
      SELECT stack_set_id FROM stack_set_stacks WHERE stack = :stack OR glob(:stack, stack)))),
gone AS MATERIALIZED (
  SELECT series_id, package_id, max(valid_to) AS since
  FROM interval
  GROUP BY series_id, package_id
  HAVING count(*) FILTER (WHERE valid_to IS NULL OR valid_to > taken_at) = 0),
-- All specs that a package had to the last went at the same moment.
last_state AS MATERIALIZED (
  SELECT g.series_id, g.package_id, g.since, max(v.sort_key) AS version_key, count(*) AS specs
  FROM gone g
  CROSS JOIN interval i ON i.package_id = g.package_id AND i.valid_to = g.since
  CROSS JOIN look l ON l.look_id = i.look_id
  LEFT JOIN version v ON v.version_id = l.version_id
  GROUP BY g.series_id, g.package_id, g.since)
SELECT
  k.name                                            AS package,
  v.version                                         AS last_version,
  t.specs,
  strftime('%Y-%m-%dT%H:%M:%SZ', (
    SELECT max(o.taken_at) FROM observations o
    WHERE o.series_id = t.series_id AND o.package_id = t.package_id AND o.taken_at < t.since), 'unixepoch') AS last_seen,
  strftime('%Y-%m-%dT%H:%M:%SZ', t.since, 'unixepoch') AS gone_since
FROM last_state t
CROSS JOIN package k ON k.package_id = t.package_id
LEFT JOIN version v ON v.sort_key = t.version_key
ORDER BY t.since DESC, k.name;
