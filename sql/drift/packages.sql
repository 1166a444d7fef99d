-- title: Packages gained and lost
-- Packages that only one of the two snapshots has, and how many specs they came or went with.
-- param: from snapshot = {to}~1   the snapshot before
-- param: to snapshot = latest     the snapshot after
-- param: package glob = *         only packages that match
-- param: stack glob = null        within stacks that match: both snapshots are cut to them first, and causes are told within
-- Outside of cacheledger :stack is NULL or one name: the view stack_drift takes no patterns.
SELECT
  'package-' || d.change AS kind,
  k.name                 AS package,
  count(*)               AS specs
FROM stack_drift d
CROSS JOIN package k USING (package_id)
WHERE d.from_snapshot = :from
  AND d.to_snapshot = :to
  AND d.stack IS :stack
  AND d.cause = 'package'
  AND k.name GLOB :package
GROUP BY d.change, k.name
ORDER BY d.change, k.name;
