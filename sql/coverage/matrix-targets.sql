-- title: Packages by target
-- How many builds of each package are built for each target. Rows are packages, columns are targets. A cell is 0 if the
-- package is not built for the target.
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
-- param: stack glob = null      only builds of stacks that match; '(no stack)': in none
-- filters: looks
-- pivot: package target specs = 0
-- form: coverage/matrix by target
WITH built AS MATERIALIZED (
  SELECT package, package_id, look_id, count(*) AS specs
  FROM present_specs
  WHERE snapshot = :at
    AND glob(:package, package)
    AND (:stack IS NULL OR stack_set_id IN (
      SELECT stack_set_id FROM stack_set_stacks WHERE stack = :stack OR glob(:stack, stack)))
  GROUP BY package, package_id, look_id)
SELECT
  b.package,
  coalesce(a.target, '(unknown)') AS target,
  sum(b.specs)                    AS specs
FROM built b
CROSS JOIN asked_looks l USING (look_id)
LEFT JOIN arch a USING (arch_id)
GROUP BY b.package, a.target
ORDER BY b.package, a.target NULLS FIRST;
