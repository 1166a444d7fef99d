-- title: Coverage by compiler
-- How many packages, versions and specs each compiler built. Specs without compiler, as there are since
-- Spack 1.0, come first, with none.
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
-- param: stack text = null      only specs of this stack
SELECT
  compiler,
  count(DISTINCT package)                   AS packages,
  count(DISTINCT package || '@' || version) AS versions,
  count(*)                                  AS specs
FROM specs
WHERE snapshot = :at
  AND package GLOB :package
  AND (:stack IS NULL OR instr(',' || stacks || ',', ',' || :stack || ',') > 0)
GROUP BY compiler
ORDER BY compiler;
