-- title: Packages gained and lost
-- Packages that only one of the two snapshots has, with the number of their builds.
-- param: from snapshot = {to}~1   the snapshot before
-- param: to snapshot = latest     the snapshot after
-- param: package glob = *         only packages that match
-- param: stack glob = null        compare only builds in matching stacks
-- filters: looks
-- Outside of the program, :stack must be NULL or a name: the view stack_drift does not take patterns.
-- command: diff
SELECT
  'package-' || d.change AS kind,
  k.name                 AS package,
  count(*)               AS specs
FROM stack_drift d
CROSS JOIN asked_looks USING (look_id)
CROSS JOIN package k ON k.package_id = d.package_id
WHERE d.from_snapshot = :from
  AND d.to_snapshot = :to
  AND d.stack IS NOT DISTINCT FROM :stack
  AND d.cause = 'package'
  AND glob(:package, k.name)
GROUP BY d.change, k.name
ORDER BY d.change, k.name;
