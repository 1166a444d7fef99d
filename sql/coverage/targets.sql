-- title: Coverage by target
-- How many packages, versions and specs are built for each target. coverage/systems tells platforms and
-- operating systems apart.
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
-- param: stack text = null      only specs of this stack
SELECT
  target,
  count(DISTINCT package)                   AS packages,
  count(DISTINCT package || '@' || version) AS versions,
  count(*)                                  AS specs
FROM specs
WHERE snapshot = :at
  AND package GLOB :package
  AND (:stack IS NULL OR instr(',' || stacks || ',', ',' || :stack || ',') > 0)
GROUP BY target
ORDER BY target;
