-- title: Packages gained and lost
-- Packages that only one of the two snapshots has, and how many specs they came or went with.
-- param: from snapshot = {to}~1   the snapshot before
-- param: to snapshot = latest     the snapshot after
-- param: package glob = *         only packages that match
-- param: stack text = null        only specs that are, or were, in this stack (causes are those of the whole cache)
SELECT
  'package-' || d.change AS kind,
  k.name                 AS package,
  count(*)               AS specs
FROM spec_drift d
JOIN package k USING (package_id)
WHERE d.from_snapshot = :from
  AND d.to_snapshot = :to
  AND d.cause = 'package'
  AND k.name GLOB :package
  AND (:stack IS NULL OR d.stack_set_id IN (
    SELECT m.stack_set_id FROM stack_set_member m JOIN stack t USING (stack_id) WHERE t.name = :stack))
GROUP BY kind, k.name
ORDER BY kind, k.name;
