-- title: Every build added or removed
-- Each build that only one of the two snapshots has, with its cause.
-- param: from snapshot = {to}~1   the snapshot before
-- param: to snapshot = latest     the snapshot after
-- param: package glob = *         only packages that match
-- param: stack glob = null        compare only builds in matching stacks
-- param: cause glob = *           only causes that match
-- filters: looks
-- Outside of the program, :stack must be NULL or a name: the view stack_drift does not take patterns.
-- command: diff
SELECT
  d.change,
  d.cause,
  l.package,
  l.version,
  x.hash,
  l.platform,
  l.os,
  l.target,
  l.compiler,
  l.variants
FROM stack_drift d
CROSS JOIN asked_looks USING (look_id)
CROSS JOIN spec x ON x.spec_id = d.spec_id
CROSS JOIN looks l ON l.look_id = d.look_id
WHERE d.from_snapshot = :from
  AND d.to_snapshot = :to
  AND d.stack IS NOT DISTINCT FROM :stack
  AND glob(:cause, d.cause)
  AND d.package_id IN (SELECT package_id FROM package WHERE glob(:package, name))
ORDER BY l.package, l.version_key NULLS FIRST, d.cause, d.change, x.hash;
