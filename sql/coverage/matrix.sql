-- title: Packages by stack
-- How many builds of each package each stack has. Rows are packages, columns are stacks. A cell is 0 if the stack does
-- not have the package. The last column is '(no stack)', if there are builds in no stack. Builds whose page does not give
-- stacks are left out.
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
-- pivot: package stack specs = 0
-- filters: looks
-- form: coverage/matrix by stack
WITH built AS MATERIALIZED (
  SELECT p.package_id, p.stack_set_id, count(*) AS specs
  FROM present_specs p
  CROSS JOIN asked_looks USING (look_id)
  WHERE p.snapshot = :at
    AND glob(:package, p.package)
  GROUP BY p.package_id, p.stack_set_id)
SELECT
  k.name AS package,
  s.stack,
  sum(b.specs) AS specs
FROM built b
CROSS JOIN package k USING (package_id)
CROSS JOIN stack_set_stacks s USING (stack_set_id)
WHERE s.stack NOT IN (SELECT name FROM stack WHERE is_root = 1)
GROUP BY k.name, s.stack
ORDER BY k.name, s.stack = '(no stack)', s.stack;
