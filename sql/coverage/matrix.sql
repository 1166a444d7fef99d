-- title: Packages by stack
-- How many specs of each package each stack has: packages down, stacks across. 0 where the
-- stack does not have the package.
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
-- pivot: package stack specs = 0
WITH built AS MATERIALIZED (
  SELECT package, package_id, stack_set_id, count(*) AS specs
  FROM present_specs
  WHERE snapshot = :at
    AND package GLOB :package
  GROUP BY package_id, stack_set_id),
counted AS MATERIALIZED (
  SELECT b.package, m.stack_id, sum(b.specs) AS specs
  FROM built b
  CROSS JOIN stack_set_member m USING (stack_set_id)
  GROUP BY b.package_id, m.stack_id)
SELECT
  n.package,
  t.name AS stack,
  n.specs
FROM counted n
CROSS JOIN stack t USING (stack_id)
WHERE NOT t.is_root
ORDER BY n.package, t.name;
