-- title: Coverage by target
-- How many packages, versions and builds are built for each target. coverage/systems also separates platforms and
-- operating systems.
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
-- param: stack glob = null      only builds of stacks that match; '(no stack)': in none
-- total: specs
-- chart: bars: target=unknown specs
-- caption: Builds for each target
-- unit: builds specs
-- filters: looks
-- form: coverage/systems by target
WITH built AS MATERIALIZED (
  SELECT package_id, look_id, count(*) AS specs
  FROM present_specs
  WHERE snapshot = :at
    AND glob(:package, package)
    AND (:stack IS NULL OR stack_set_id IN (
      SELECT stack_set_id FROM stack_set_stacks WHERE stack = :stack OR glob(:stack, stack)))
  GROUP BY package_id, look_id),
version AS MATERIALIZED (
  SELECT l.arch_id, l.package_id, l.version_id, sum(b.specs) AS specs
  FROM built b
  CROSS JOIN asked_looks l USING (look_id)
  GROUP BY l.arch_id, l.package_id, l.version_id)
SELECT
  a.target,
  count(DISTINCT v.package_id)                      AS packages,
  count(DISTINCT v.package_id << 32 | v.version_id) AS versions,
  sum(v.specs)                                      AS specs
FROM version v
LEFT JOIN arch a USING (arch_id)
GROUP BY a.target
ORDER BY a.target NULLS FIRST;
