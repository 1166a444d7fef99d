-- title: What the snapshot holds
-- How many packages, versions, builds, stacks, systems, targets and compilers the snapshot has. `looks` counts builds
-- that look the same once. `specs_in_no_stack` counts builds that are in the cache and in no stack (except `root`).
-- Pages of 2022 do not give stacks: `stacks` and `specs_in_no_stack` do not count their builds, and are empty if there
-- are no other builds.
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
-- filters: looks
WITH present AS NOT MATERIALIZED (
  SELECT package_id, look_id, stack_set_id
  FROM present_specs
  WHERE snapshot = :at
    AND glob(:package, package)),
built AS MATERIALIZED (
  SELECT package_id, look_id, count(*) AS specs
  FROM present
  GROUP BY package_id, look_id),
by_look AS (
  SELECT
    count(DISTINCT b.package_id)                        AS packages,
    count(DISTINCT b.package_id << 32 | l.version_id)   AS versions,
    coalesce(sum(b.specs), 0)                             AS specs,
    count(*)                                            AS looks,
    count(DISTINCT l.arch_id)                           AS systems,
    count(DISTINCT a.target)                            AS targets,
    count(DISTINCT l.compiler_id)                       AS compilers,
    coalesce(sum(b.specs) FILTER (WHERE l.compiler_id IS NULL), 0) AS specs_without_compiler
  FROM built b
  CROSS JOIN asked_looks l USING (look_id)
  LEFT JOIN arch a USING (arch_id)),
stack_set_size AS MATERIALIZED (
  SELECT p.stack_set_id, count(*) AS specs
  FROM present p
  CROSS JOIN asked_looks USING (look_id)
  GROUP BY p.stack_set_id),
by_stack AS (
  SELECT
    count(*) = 0 OR count(g.stack_set_id) > 0                    AS is_known,
    coalesce(sum(z.specs) FILTER (WHERE g.named_stacks = ''), 0)   AS specs_in_no_stack
  FROM stack_set_size z
  LEFT JOIN stack_set g USING (stack_set_id))
SELECT
  l.packages,
  l.versions,
  l.specs,
  l.looks,
  CASE WHEN s.is_known THEN (
    SELECT count(DISTINCT m.stack_id)
    FROM stack_set_size z
    JOIN stack_set_member m USING (stack_set_id)
    JOIN stack t USING (stack_id)
    WHERE t.is_root = 0) END                            AS stacks,
  l.systems,
  l.targets,
  l.compilers,
  l.specs_without_compiler,
  CASE WHEN s.is_known THEN s.specs_in_no_stack END     AS specs_in_no_stack
FROM by_look l, by_stack s;
