-- title: Packages by stack
-- How many specs of each package each stack has: packages down, stacks across. 0 where the
-- stack does not have the package. Where there are specs that are in no stack, '(no stack)' is the last column. Specs
-- whose stacks the page does not give are left out.
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
-- pivot: package stack specs = 0
WITH built AS MATERIALIZED (
  SELECT package, package_id, stack_set_id, count(*) AS specs
  FROM present_specs
  WHERE snapshot = :at
    AND package GLOB :package
  GROUP BY package_id, stack_set_id)
SELECT
  b.package,
  s.stack,
  sum(b.specs) AS specs
FROM built b
CROSS JOIN stack_set_stacks s USING (stack_set_id)
WHERE s.stack NOT IN (SELECT name FROM stack WHERE is_root)
GROUP BY b.package_id, s.stack
ORDER BY b.package, s.stack = '(no stack)', s.stack;
