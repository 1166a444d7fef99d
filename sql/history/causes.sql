-- title: Drift by cause from snapshot to snapshot
-- How many builds were added and removed since the snapshot before it in the series, for each cause of drift/summary. There is a
-- row only where there is such a build. The first snapshot of a series has none before it, and no row. Comparing takes time:
-- only the `last` newest snapshots of each series are compared with the one before.
-- param: series glob = *        only series that match
-- param: package glob = *       only packages that match
-- param: last integer = 30      how many snapshots of each series
-- implied: series taken_at
-- chart: columns: taken_at +added -removed by cause each series
-- caption: Builds added and removed since the snapshot before, by cause
-- unit: builds added removed
-- filters: looks
-- form: history/growth by cause
WITH pair AS MATERIALIZED (
  SELECT series, snapshot, taken_at, before_id, snapshot_id
  FROM (
    SELECT r.name AS series, s.name AS snapshot, s.taken_at, s.snapshot_id,
      lag(s.snapshot_id) OVER series_in_time                                     AS before_id,
      row_number() OVER (PARTITION BY s.series_id ORDER BY s.taken_at DESC) AS age
    FROM snapshot s
    JOIN series r ON r.series_id = s.series_id
    WHERE glob(:series, r.name)
    WINDOW series_in_time AS (PARTITION BY s.series_id ORDER BY s.taken_at)) e
  WHERE before_id IS NOT NULL
    AND age <= :last),
cause (position, cause) AS (
  VALUES (1, 'package'), (2, 'version'), (3, 'target'), (4, 'compiler'), (5, 'variants'), (6, 'rebuilt'),
    (7, 'copies')),
-- The view stack_drift compares one pair at a time. The program puts a table of that name before it, with the rows of all pairs
-- (reports/engine/drift/neighbours.sql).
counted AS MATERIALIZED (
  SELECT
    p.snapshot_id, d.cause,
    count(*) FILTER (WHERE d.change = 'added')   AS added,
    count(*) FILTER (WHERE d.change = 'removed') AS removed
  FROM pair p
  CROSS JOIN stack_drift d ON d.from_id = p.before_id AND d.to_id = p.snapshot_id
  CROSS JOIN asked_looks USING (look_id)
  WHERE d.stack IS NULL
    AND d.package_id IN (SELECT package_id FROM package WHERE glob(:package, name))
  GROUP BY p.snapshot_id, d.cause)
SELECT
  p.series,
  p.snapshot,
  strftime('%Y-%m-%dT%H:%M:%SZ', p.taken_at, 'unixepoch') AS taken_at,
  c.cause,
  d.added,
  d.removed
FROM counted d
JOIN pair p ON p.snapshot_id = d.snapshot_id
JOIN cause c ON c.cause = d.cause
ORDER BY p.series, p.taken_at, c.position;
