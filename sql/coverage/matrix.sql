-- title: Packages by stack
-- How many specs of each package each stack has: packages down, stacks across. 0 where the
-- stack does not have the package.
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
-- pivot: package stack specs = 0
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
