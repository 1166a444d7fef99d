-- title: More or fewer copies
-- Look groups that both snapshots have, and in which builds were only added or only removed: the number of builds before
-- and after, and the hashes that were added or removed. `compiler` is empty if a build of the group has none.
-- param: from snapshot = {to}~1   the snapshot before
-- param: to snapshot = latest     the snapshot after
-- param: package glob = *         only packages that match
-- param: stack glob = null        compare only builds in matching stacks
-- filters: looks
-- Outside of the program, :stack must be NULL or a name: the view stack_drift does not take patterns.
-- command: diff
WITH changed AS MATERIALIZED (
  SELECT
    group_look_id,
    min(from_id)            AS from_id,
    min(to_id)              AS to_id,
    min(group_compiler_id)  AS compiler_id,
    count(*) FILTER (WHERE change = 'added')   AS added,
    count(*) FILTER (WHERE change = 'removed') AS removed,
    group_concat(hash, ',') AS hashes
  FROM (
    SELECT d.group_look_id, d.from_id, d.to_id, d.group_compiler_id, d.change, x.hash
    FROM stack_drift d
    CROSS JOIN asked_looks USING (look_id)
    CROSS JOIN spec x USING (spec_id)
    WHERE d.from_snapshot = :from
      AND d.to_snapshot = :to
      AND d.stack IS NOT DISTINCT FROM :stack
      AND (d.group_added = 0 OR d.group_removed = 0)
      AND d.package_id IN (SELECT package_id FROM package WHERE glob(:package, name))
    ORDER BY d.group_look_id, x.hash) o
  GROUP BY group_look_id),
-- The number of specs of each group in each of the two snapshots.
counted AS MATERIALIZED (
  SELECT
    g.group_look_id, g.is_before,
    (SELECT count(*)
     FROM snapshot s
     CROSS JOIN look one
     CROSS JOIN look l
       ON l.package_id = one.package_id
      AND l.version_id IS NOT DISTINCT FROM one.version_id
      AND l.arch_id IS NOT DISTINCT FROM one.arch_id
      AND l.variant_set_id IS NOT DISTINCT FROM one.variant_set_id
      AND (g.compiler_id IS NULL OR l.compiler_id = g.compiler_id)
     CROSS JOIN asked_looks a ON a.look_id = l.look_id
     CROSS JOIN presence p
       ON p.series_id = s.series_id
      AND p.package_id = l.package_id
      AND p.look_id = l.look_id
      AND p.valid_from <= s.taken_at
      AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
     WHERE s.snapshot_id = g.snapshot_id
       AND one.look_id = g.group_look_id
       AND (:stack IS NULL OR p.stack_set_id IN (
         SELECT stack_set_id FROM stack_set_stacks WHERE stack = :stack OR glob(:stack, stack)))) AS specs
  FROM (
    SELECT group_look_id, compiler_id, 1 AS is_before, from_id AS snapshot_id FROM changed
    UNION ALL
    SELECT group_look_id, compiler_id, 0, to_id FROM changed) g)
SELECT
  'copies-changed' AS kind,
  l.package,
  l.version,
  l.platform,
  l.os,
  l.target,
  c.spec           AS compiler,
  l.variants,
  b.specs          AS copies_before,
  a.specs          AS copies_after,
  g.added,
  g.removed,
  g.hashes
FROM changed g
JOIN counted b ON b.group_look_id = g.group_look_id AND b.is_before = 1
JOIN counted a ON a.group_look_id = g.group_look_id AND a.is_before = 0
CROSS JOIN looks l ON l.look_id = g.group_look_id
LEFT JOIN compiler c ON c.compiler_id = g.compiler_id
ORDER BY
  l.package, l.version_key NULLS FIRST, l.platform NULLS FIRST, l.os NULLS FIRST, l.target NULLS FIRST,
  c.sort_key NULLS FIRST, l.variants NULLS FIRST;
