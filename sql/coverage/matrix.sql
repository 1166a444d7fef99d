-- title: Packages by stack
-- How many specs of each package each stack has: packages down, stacks across. An empty cell is a
-- package that the stack does not have.
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
-- pivot: package stack specs
SELECT
  package,
  stack,
  count(*) AS specs
FROM spec_stacks
WHERE snapshot = :at
  AND package GLOB :package
  AND stack <> 'root'
GROUP BY package, stack
ORDER BY package, stack;
