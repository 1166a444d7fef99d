-- title: Versions available
-- The versions of each package, with the number of their specs and their stacks. `stacks` is NULL if the page does not
-- give stacks, and an empty text if the version is in no stack.
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
-- param: stack glob = null      only specs of stacks that match; '(no stack)': in none
-- total: specs
-- filters: looks
WITH chosen AS MATERIALIZED (
  SELECT p.package, p.package_id, l.version_id, p.stack_set_id, count(*) AS specs
  FROM present_specs p
  CROSS JOIN asked_looks l USING (look_id)
  WHERE p.snapshot = :at
    AND p.package GLOB :package
    AND (:stack IS NULL OR p.stack_set_id IN (
      SELECT stack_set_id FROM stack_set_stacks WHERE stack = :stack OR stack GLOB :stack))
  GROUP BY p.package_id, l.version_id, p.stack_set_id),
version_size AS MATERIALIZED (
  SELECT package, package_id, version_id, sum(specs) AS specs, count(stack_set_id) AS known_stack_sets
  FROM chosen
  GROUP BY package_id, version_id),
version_stacks AS MATERIALIZED (
  SELECT package_id, version_id, group_concat(stack, ',') AS stacks
  FROM (
    SELECT v.package_id, v.version_id, t.name AS stack
    FROM (
      SELECT DISTINCT c.package_id, c.version_id, m.stack_id
      FROM chosen c
      CROSS JOIN stack_set_member m USING (stack_set_id)) v
    CROSS JOIN stack t USING (stack_id)
    WHERE NOT t.is_root
    ORDER BY v.package_id, v.version_id, t.name)
  GROUP BY package_id, version_id)
SELECT
  z.package,
  v.version,
  z.specs,
  CASE WHEN z.known_stack_sets > 0 THEN ifnull(s.stacks, '') END AS stacks
FROM version_size z
LEFT JOIN version_stacks s ON s.package_id = z.package_id AND s.version_id IS z.version_id
LEFT JOIN version v ON v.version_id = z.version_id
ORDER BY z.package, v.sort_key;
