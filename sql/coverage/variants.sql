-- title: Variants built
-- For each option of each package, how many specs are built with each value; `of` is the number of specs of the
-- package whose options are known. A multi-valued option counts for each of its values.
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
-- param: stack text = null      only specs of this stack
WITH chosen AS MATERIALIZED (
  SELECT package, hash, variants
  FROM specs
  WHERE snapshot = :at
    AND package GLOB :package
    AND (:stack IS NULL OR instr(',' || stacks || ',', ',' || :stack || ',') > 0)),
package_size AS MATERIALIZED (
  SELECT package, count(variants) AS specs
  FROM chosen
  GROUP BY package)
SELECT
  c.package,
  v.name AS variant,
  v.value,
  count(*) AS specs,
  z.specs  AS "of"
FROM chosen c
JOIN spec_variants v ON v.hash = c.hash AND v.package = c.package
JOIN package_size z ON z.package = c.package
GROUP BY c.package, v.name, v.value
ORDER BY c.package, v.name, v.value;
