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
  k.name AS package,
  v.version,
  x.hash,
  a.platform,
  a.os,
  a.target,
  c.spec AS compiler,
  t.variants
FROM spec_drift d
CROSS JOIN package k USING (package_id)
CROSS JOIN spec x USING (spec_id)
CROSS JOIN look l ON l.look_id = d.look_id
LEFT JOIN version v USING (version_id)
LEFT JOIN arch a USING (arch_id)
LEFT JOIN compiler c USING (compiler_id)
LEFT JOIN variant_set t USING (variant_set_id)
WHERE d.from_snapshot = :from
  AND d.to_snapshot = :to
  AND d.cause GLOB :cause
  AND k.name GLOB :package
  AND (:stack IS NULL OR d.stack_set_id IN (
    SELECT m.stack_set_id FROM stack_set_member m JOIN stack t USING (stack_id) WHERE t.name = :stack))
ORDER BY k.name, v.version, d.cause, d.change, x.hash;
