-- title: Versions available
-- The versions of each package, with the number of their builds and their stacks. `stacks` is NULL if the page does not
-- give stacks, and an empty text if the version is in no stack.
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
-- param: stack glob = null      only builds of stacks that match; '(no stack)': in none
-- total: specs
-- filters: looks
-- form: coverage/versions by version
WITH chosen AS MATERIALIZED (
  SELECT p.package_id, l.version_id, p.stack_set_id, count(*) AS specs
  FROM present_specs p
  CROSS JOIN asked_looks l USING (look_id)
  WHERE p.snapshot = :at
    AND glob(:package, p.package)
    AND (:stack IS NULL OR p.stack_set_id IN (
      SELECT stack_set_id FROM stack_set_stacks WHERE stack = :stack OR glob(:stack, stack)))
  GROUP BY p.package_id, l.version_id, p.stack_set_id),
version_size AS MATERIALIZED (
  SELECT package_id, version_id, sum(specs) AS specs, count(stack_set_id) AS known_stack_sets
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
    WHERE t.is_root = 0
    ORDER BY v.package_id, v.version_id, t.name) o
  GROUP BY package_id, version_id)
SELECT
  k.name AS package,
  v.version,
  z.specs,
  CASE WHEN z.known_stack_sets > 0 THEN coalesce(s.stacks, '') END AS stacks
FROM version_size z
CROSS JOIN package k ON k.package_id = z.package_id
LEFT JOIN version_stacks s ON s.package_id = z.package_id AND s.version_id IS NOT DISTINCT FROM z.version_id
LEFT JOIN version v ON v.version_id = z.version_id
ORDER BY k.name, v.sort_key NULLS FIRST;
