-- title: Versions gained and lost
-- Versions that only one of the two snapshots has, of packages that both have.
-- param: from snapshot = {to}~1   the snapshot before
-- param: to snapshot = latest     the snapshot after
-- param: package glob = *         only packages that match
-- param: stack text = null        only specs that are, or were, in this stack (causes are those of the whole cache)
SELECT
  'version-' || d.change AS kind,
  k.name                 AS package,
  l.version,
  count(*)               AS specs
FROM spec_drift d
JOIN package k USING (package_id)
JOIN looks l USING (look_id)
WHERE d.from_snapshot = :from
  AND d.to_snapshot = :to
  AND d.cause = 'version'
  AND k.name GLOB :package
  AND (:stack IS NULL OR d.stack_set_id IN (
    SELECT m.stack_set_id FROM stack_set_member m JOIN stack t USING (stack_id) WHERE t.name = :stack))
GROUP BY kind, k.name, l.version
ORDER BY kind, k.name, l.version;
