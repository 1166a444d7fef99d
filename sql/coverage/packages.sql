-- title: Coverage by package
-- How many builds each package has, with how many versions, stacks, targets and compilers. `stacks` is empty if
-- the page does not give stacks.
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
-- param: stack glob = null      only builds of stacks that match; '(no stack)': in none
-- total: versions specs
-- chart: bars: package specs
-- caption: Builds of each package
-- unit: builds specs
-- filters: looks
WITH present AS NOT MATERIALIZED (
  SELECT package_id, look_id, stack_set_id
  FROM present_specs
  WHERE snapshot = :at
    AND glob(:package, package)
    AND (:stack IS NULL OR stack_set_id IN (
      SELECT stack_set_id FROM stack_set_stacks WHERE stack = :stack OR glob(:stack, stack)))),
built AS MATERIALIZED (
  SELECT package_id, look_id, count(*) AS specs, count(stack_set_id) AS of_known_stacks
  FROM present
  GROUP BY package_id, look_id),
package_stacks AS MATERIALIZED (
  SELECT p.package_id, count(DISTINCT m.stack_id) AS stacks
  FROM (SELECT DISTINCT c.package_id, c.stack_set_id FROM present c CROSS JOIN asked_looks USING (look_id)) p
  CROSS JOIN stack_set_member m USING (stack_set_id)
  CROSS JOIN stack t USING (stack_id)
  WHERE t.is_root = 0
  GROUP BY p.package_id)
SELECT
  k.name                        AS package,
  count(DISTINCT l.version_id)  AS versions,
  sum(b.specs)                  AS specs,
  CASE WHEN sum(b.of_known_stacks) > 0 THEN coalesce(min(s.stacks), 0) END AS stacks,
  count(DISTINCT a.target)      AS targets,
  count(DISTINCT l.compiler_id) AS compilers
FROM built b
CROSS JOIN asked_looks l USING (look_id)
CROSS JOIN package k ON k.package_id = b.package_id
LEFT JOIN arch a USING (arch_id)
LEFT JOIN package_stacks s ON s.package_id = b.package_id
GROUP BY k.name
ORDER BY k.name;
