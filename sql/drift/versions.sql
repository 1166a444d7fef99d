-- title: Versions gained and lost
-- Versions that only one of the two snapshots has, of packages that both have.
-- param: from snapshot = {to}~1   the snapshot before
-- param: to snapshot = latest     the snapshot after
-- param: package glob = *         only packages that match
-- param: stack glob = null        compare only builds in matching stacks
-- filters: looks
-- Outside of the program, :stack must be NULL or a name: the view stack_drift does not take patterns.
-- command: diff
WITH chosen AS MATERIALIZED (
  SELECT d.look_id, d.change, count(*) AS specs
  FROM stack_drift d
  CROSS JOIN asked_looks USING (look_id)
  WHERE d.from_snapshot = :from
    AND d.to_snapshot = :to
    AND d.stack IS NOT DISTINCT FROM :stack
    AND d.cause = 'version'
    AND d.package_id IN (SELECT package_id FROM package WHERE glob(:package, name))
  GROUP BY d.look_id, d.change)
SELECT
  'version-' || c.change AS kind,
  l.package,
  l.version,
  sum(c.specs)           AS specs
FROM chosen c
CROSS JOIN looks l USING (look_id)
GROUP BY c.change, l.package, l.version, l.version_key
ORDER BY c.change, l.package, l.version_key NULLS FIRST;
