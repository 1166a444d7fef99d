-- title: Drift by cause
-- How many builds were added and removed, for each cause. The cause is the first of these that the other snapshot lacks:
-- the package, version, target, compiler or variants of the build. If the other snapshot has builds that look the same, as
-- many added as removed builds are `rebuilt`. The rest are `copies`: more or fewer builds that look the same.
-- param: from snapshot = {to}~1   the snapshot before
-- param: to snapshot = latest     the snapshot after
-- param: package glob = *         only packages that match
-- param: stack glob = null        compare only builds in matching stacks
-- total: added removed
-- chart: bars: cause +added -removed
-- caption: Builds added and removed, by cause
-- unit: builds added removed
-- filters: looks
-- Outside of the program, :stack must be NULL or a name: the view stack_drift does not take patterns.
-- command: diff
WITH cause (position, cause) AS (
  VALUES (1, 'package'), (2, 'version'), (3, 'target'), (4, 'compiler'), (5, 'variants'), (6, 'rebuilt'),
    (7, 'copies')),
counted AS MATERIALIZED (
  SELECT
    d.cause,
    count(*) FILTER (WHERE d.change = 'added')   AS added,
    count(*) FILTER (WHERE d.change = 'removed') AS removed
  FROM stack_drift d
  CROSS JOIN asked_looks USING (look_id)
  WHERE d.from_snapshot = :from
    AND d.to_snapshot = :to
    AND d.stack IS NOT DISTINCT FROM :stack
    AND d.package_id IN (SELECT package_id FROM package WHERE glob(:package, name))
  GROUP BY d.cause)
SELECT
  c.cause,
  coalesce(d.added, 0)   AS added,
  coalesce(d.removed, 0) AS removed
FROM cause c
LEFT JOIN counted d USING (cause)
ORDER BY c.position;
