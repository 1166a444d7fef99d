-- title: Packages by stack
-- How many specs of each package each stack has. Rows are packages, columns are stacks. A cell is 0 if the stack does
-- not have the package. The last column is '(no stack)', if there are specs in no stack. Specs whose page does not give
-- stacks are left out.
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
