-- title: Coverage by compiler
-- How many packages, versions and builds each compiler built. Builds without a compiler come first; their `compiler` is
-- empty. Since Spack 1.0 only builds that use a compiler have one.
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
-- param: stack glob = null      only builds of stacks that match; '(no stack)': in none
-- total: specs
-- chart: bars: compiler=none specs
-- caption: Builds of each compiler
-- unit: builds specs
-- filters: looks
-- form: coverage/systems by compiler
WITH built AS MATERIALIZED (
  SELECT package_id, look_id, count(*) AS specs
  FROM present_specs
  WHERE snapshot = :at
    AND glob(:package, package)
    AND (:stack IS NULL OR stack_set_id IN (
      SELECT stack_set_id FROM stack_set_stacks WHERE stack = :stack OR glob(:stack, stack)))
  GROUP BY package_id, look_id),
version AS MATERIALIZED (
  SELECT l.compiler_id, l.package_id, l.version_id, sum(b.specs) AS specs
  FROM built b
  CROSS JOIN asked_looks l USING (look_id)
  GROUP BY l.compiler_id, l.package_id, l.version_id),
counted AS MATERIALIZED (
  SELECT compiler_id, count(DISTINCT package_id) AS packages, count(version_id) AS versions, sum(specs) AS specs
  FROM version
  GROUP BY compiler_id)
SELECT
  c.spec AS compiler,
  n.packages,
  n.versions,
  n.specs
FROM counted n
LEFT JOIN compiler c USING (compiler_id)
ORDER BY c.sort_key NULLS FIRST;
