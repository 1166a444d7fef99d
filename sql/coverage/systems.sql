-- title: Coverage by platform, operating system and target
-- How many packages, versions and specs are built for each system.
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
-- param: stack text = null      only specs of this stack
SELECT
  platform,
  os,
  target,
  count(DISTINCT package)                   AS packages,
  count(DISTINCT package || '@' || version) AS versions,
  count(*)                                  AS specs
FROM specs
WHERE snapshot = :at
  AND package GLOB :package
  AND (:stack IS NULL OR instr(',' || stacks || ',', ',' || :stack || ',') > 0)
GROUP BY platform, os, target
ORDER BY platform, os, target;
