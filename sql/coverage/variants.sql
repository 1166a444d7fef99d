-- title: Variants built
-- How many builds of each package are built with each value of each option. `of` is the number of builds of the package
-- whose options are known. A build with several values of an option counts for each of them.
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
-- param: stack glob = null      only builds of stacks that match; '(no stack)': in none
-- filters: looks
-- form: coverage/versions by variant
WITH built AS MATERIALIZED (
  SELECT package_id, look_id, count(*) AS specs
  FROM present_specs
  WHERE snapshot = :at
    AND glob(:package, package)
    AND (:stack IS NULL OR stack_set_id IN (
      SELECT stack_set_id FROM stack_set_stacks WHERE stack = :stack OR glob(:stack, stack)))
  GROUP BY package_id, look_id),
chosen AS MATERIALIZED (
  SELECT b.package_id, l.variant_set_id, sum(b.specs) AS specs
  FROM built b
  CROSS JOIN asked_looks l USING (look_id)
  WHERE l.variant_set_id IS NOT NULL
  GROUP BY b.package_id, l.variant_set_id),
package_size AS MATERIALIZED (
  SELECT package_id, sum(specs) AS specs
  FROM chosen
  GROUP BY package_id),
counted AS MATERIALIZED (
  SELECT c.package_id, m.variant_id, sum(c.specs) AS specs
  FROM chosen c
  CROSS JOIN variant_set_member m USING (variant_set_id)
  GROUP BY c.package_id, m.variant_id)
SELECT
  k.name  AS package,
  v.name  AS variant,
  v.value,
  c.specs,
  z.specs AS "of"
FROM counted c
CROSS JOIN package k USING (package_id)
CROSS JOIN variant v USING (variant_id)
JOIN package_size z USING (package_id)
-- Natural order: a shorter number is a smaller one.
ORDER BY k.name, v.name, CASE WHEN glob('*[^0-9]*', v.value) THEN 0 ELSE length(v.value) END, v.value;
