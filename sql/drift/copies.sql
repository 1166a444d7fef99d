-- title: More or fewer copies
-- Look groups in which specs were only added, or only removed, beside others that look the same: how many there were
-- before and are after, and the hashes that came or went. `compiler` is empty where a spec of the group has none.
-- param: from snapshot = {to}~1   the snapshot before
-- param: to snapshot = latest     the snapshot after
-- param: package glob = *         only packages that match
-- param: stack text = null        only groups of which a changed spec is, or was, in this stack
WITH chosen AS MATERIALIZED (
  SELECT from_id, to_id, group_look_id, group_compiler_id, change, cause, spec_id,
    :stack IS NULL OR stack_set_id IN (
      SELECT m.stack_set_id FROM stack_set_member m JOIN stack t USING (stack_id)
      WHERE t.name = :stack) AS in_stack
  FROM spec_drift
  WHERE from_snapshot = :from
    AND to_snapshot = :to
    AND cause IN ('rebuilt', 'copies')
    AND package_id IN (SELECT package_id FROM package WHERE name GLOB :package)),
grouped AS MATERIALIZED (
  SELECT
    from_id, to_id, group_look_id, group_compiler_id,
    count(*) FILTER (WHERE change = 'added')   AS added,
    count(*) FILTER (WHERE change = 'removed') AS removed
  FROM chosen
  GROUP BY group_look_id
  HAVING NOT max(cause = 'rebuilt') AND max(in_stack)),
hashed AS MATERIALIZED (
  SELECT group_look_id, group_concat(hash, ',') AS hashes
  FROM (
    SELECT d.group_look_id, x.hash
    FROM chosen d
    CROSS JOIN spec x USING (spec_id)
    WHERE d.group_look_id IN (SELECT group_look_id FROM grouped)
    ORDER BY d.group_look_id, x.hash)
  GROUP BY group_look_id),
-- The groups' specs in either snapshot.
counted AS MATERIALIZED (
  SELECT
    g.group_look_id,
    count(*) FILTER (WHERE s.snapshot_id = g.from_id) AS copies_before,
    count(*) FILTER (WHERE s.snapshot_id = g.to_id)   AS copies_after
  FROM grouped g
  JOIN look one ON one.look_id = g.group_look_id
  JOIN look l
    ON l.package_id = one.package_id
   AND l.version_id IS one.version_id
   AND l.arch_id IS one.arch_id
   AND l.variant_set_id IS one.variant_set_id
   AND (g.group_compiler_id IS NULL OR l.compiler_id = g.group_compiler_id)
  JOIN snapshot s ON s.snapshot_id IN (g.from_id, g.to_id)
  JOIN presence p
    ON p.series_id = s.series_id
   AND p.package_id = l.package_id
   AND p.look_id = l.look_id
   AND p.valid_from <= s.taken_at
   AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
  GROUP BY g.group_look_id)
SELECT
  'copies-changed' AS kind,
  l.package,
  l.version,
  l.platform,
  l.os,
  l.target,
  c.spec           AS compiler,
  l.variants,
  n.copies_before,
  n.copies_after,
  g.added,
  g.removed,
  h.hashes
FROM grouped g
JOIN counted n USING (group_look_id)
JOIN hashed h USING (group_look_id)
JOIN looks l ON l.look_id = g.group_look_id
LEFT JOIN compiler c ON c.compiler_id = g.group_compiler_id
ORDER BY l.package, l.version, l.platform, l.os, l.target, c.spec, l.variants;
