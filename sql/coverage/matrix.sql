-- title: Packages by stack
-- How many builds of each package each stack has. Rows are packages, columns are stacks. A cell is 0 if the stack does
-- not have the package. The last column is '(no stack)', if there are builds in no stack. Builds whose page does not give
-- stacks are left out.
-- `--rows version` has a row for each version, such as hdf5@1.14.3.
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
-- param: rows one-of:package,version = package   what has a row: a package, or each version of one
-- pivot: package stack specs = 0
-- filters: looks
-- form: coverage/matrix by stack
WITH built AS MATERIALIZED (
  SELECT p.package_id, CASE WHEN :rows = 'version' THEN l.version_id END AS version_id, p.stack_set_id, count(*) AS specs
  FROM present_specs p
  CROSS JOIN asked_looks l USING (look_id)
  WHERE p.snapshot = :at
    AND glob(:package, p.package)
  GROUP BY p.package_id, CASE WHEN :rows = 'version' THEN l.version_id END, p.stack_set_id)
SELECT
  k.name || coalesce('@' || v.version, '') AS package,
  s.stack,
  sum(b.specs) AS specs
FROM built b
CROSS JOIN package k USING (package_id)
LEFT JOIN version v ON v.version_id = b.version_id
CROSS JOIN stack_set_stacks s USING (stack_set_id)
WHERE s.stack NOT IN (SELECT name FROM stack WHERE is_root = 1)
GROUP BY k.name, v.version, v.sort_key, s.stack
ORDER BY k.name, v.sort_key NULLS FIRST, s.stack = '(no stack)', s.stack;
