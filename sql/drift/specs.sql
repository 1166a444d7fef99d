-- title: Every spec added or removed
-- Each spec that only one of the two snapshots has, with the one cause that explains it.
-- param: from snapshot = {to}~1   the snapshot before
-- param: to snapshot = latest     the snapshot after
-- param: package glob = *         only packages that match
-- param: stack text = null        only specs that are, or were, in this stack (causes are those of the whole cache)
-- param: cause glob = *           only causes that match
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
FROM spec_drift d
JOIN package k USING (package_id)
JOIN looks l USING (look_id)
JOIN spec x USING (spec_id)
WHERE d.from_snapshot = :from
  AND d.to_snapshot = :to
  AND d.cause GLOB :cause
  AND k.name GLOB :package
  AND (:stack IS NULL OR d.stack_set_id IN (
    SELECT m.stack_set_id FROM stack_set_member m JOIN stack t USING (stack_id) WHERE t.name = :stack))
ORDER BY l.package, l.version, d.cause, d.change, x.hash;
