-- title: Packages by compiler
-- How many builds of each package each compiler built. Rows are packages, columns are compilers. A cell is 0 if the
-- compiler did not build the package. The last column, '(no compiler)', has builds without a compiler: since Spack 1.0 only builds
-- that use a compiler have one.
-- `--rows version` has a row for each version, such as hdf5@1.14.3.
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
-- param: rows one-of:package,version = package   what has a row: a package, or each version of one
-- param: stack glob = null      only builds of stacks that match; '(no stack)': in none
-- filters: looks
-- pivot: package compiler specs = 0
-- form: coverage/matrix by compiler
WITH built AS MATERIALIZED (
  SELECT package, package_id, look_id, count(*) AS specs
  FROM present_specs
  WHERE snapshot = :at
    AND glob(:package, package)
    AND (:stack IS NULL OR stack_set_id IN (
      SELECT stack_set_id FROM stack_set_stacks WHERE stack = :stack OR glob(:stack, stack)))
  GROUP BY package, package_id, look_id)
SELECT
  b.package || coalesce('@' || v.version, '') AS package,
  coalesce(c.spec, '(no compiler)') AS compiler,
  sum(b.specs)                      AS specs
FROM built b
CROSS JOIN asked_looks l USING (look_id)
LEFT JOIN compiler c USING (compiler_id)
LEFT JOIN version v ON :rows = 'version' AND v.version_id = l.version_id
GROUP BY b.package, v.version, v.sort_key, c.spec, c.sort_key
ORDER BY b.package, v.sort_key NULLS FIRST, c.sort_key NULLS LAST;
