-- title: Packages by target
-- How many builds of each package are built for each target. Rows are packages, columns are targets. A cell is 0 if the
-- package is not built for the target.
-- `--rows version` has a row for each version, such as hdf5@1.14.3.
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
-- param: rows one-of:package,version = package   what has a row: a package, or each version of one
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
  b.package || coalesce('@' || v.version, '') AS package,
  coalesce(a.target, '(unknown)') AS target,
  sum(b.specs)                    AS specs
FROM built b
CROSS JOIN asked_looks l USING (look_id)
LEFT JOIN arch a USING (arch_id)
LEFT JOIN version v ON :rows = 'version' AND v.version_id = l.version_id
GROUP BY b.package, v.version, v.sort_key, a.target
ORDER BY b.package, v.sort_key NULLS FIRST, a.target NULLS FIRST;
