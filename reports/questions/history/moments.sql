-- The snapshots of the series :series_id at which specs of temp.history_spec came, went or moved between stacks, from old to
-- new; and the newest snapshot that observed the package, if they are there. reports/questions/history/scope.sql makes the temporary
-- tables.
WITH
-- What begins and ends at a moment.
edge AS MATERIALIZED (
  SELECT p.valid_from AS moment, 1 AS builds, p.came AS came, 0 AS went
  FROM temp.history_presence p JOIN temp.history_spec h USING (spec_id)
  UNION ALL
  SELECT p.valid_to, -1, 0, p.went
  FROM temp.history_presence p JOIN temp.history_spec h USING (spec_id)
  WHERE p.valid_to IS NOT NULL),
event AS MATERIALIZED (
  SELECT
    moment,
    sum(sum(builds)) OVER (ORDER BY moment) AS builds,
    sum(came)                               AS came,
    sum(went)                               AS went
  FROM edge
  GROUP BY moment),
observed AS MATERIALIZED (
  SELECT min(o.taken_at) AS first, max(o.taken_at) AS newest
  FROM observations o
  WHERE o.series_id = :series_id AND o.package_id = :package_id),
told AS (
  SELECT moment, builds, came, went, 1 AS is_event FROM event
  UNION ALL
  SELECT newest, (SELECT coalesce(sum(builds), 0) FROM edge WHERE moment <= newest), 0, 0, 0
  FROM observed
  WHERE NOT EXISTS (SELECT 1 FROM event WHERE moment = newest))
SELECT
  s.name                                                   AS snapshot,
  strftime('%Y-%m-%dT%H:%M:%SZ', s.taken_at, 'unixepoch')  AS taken_at,
  s.taken_at                                               AS moment,
  b.name                                                   AS before,
  b.taken_at                                               AS before_moment,
  -- Whether an earlier snapshot of the series observed the package.
  (SELECT first < s.taken_at FROM observed)                AS is_known_before,
  -- Whether the specs were there before, at any time.
  (SELECT min(moment) < s.taken_at FROM event)             AS was_there,
  t.builds,
  t.came,
  t.went,
  t.is_event
FROM told t
CROSS JOIN snapshot s ON s.series_id = :series_id AND s.taken_at = t.moment
LEFT JOIN snapshot b
  ON b.series_id = s.series_id
 AND b.taken_at = (SELECT max(e.taken_at) FROM snapshot e WHERE e.series_id = s.series_id AND e.taken_at < s.taken_at)
ORDER BY s.taken_at
