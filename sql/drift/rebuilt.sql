-- title: Rebuilt without any visible change
-- Specs whose look stayed and whose hash did not: a dependency, a patch, the recipe or the hash function changed. One row a
-- look group, with its hashes before and after; where more were built than went, or fewer, the surplus is in the row
-- as well. `compiler` is empty where a spec of the group has none.
-- param: from snapshot = {to}~1   the snapshot before
-- param: to snapshot = latest     the snapshot after
-- param: package glob = *         only packages that match
-- param: stack text = null        only groups of which a changed spec is, or was, in this stack
WITH chosen AS MATERIALIZED (
  SELECT group_look_id, group_compiler_id, change, cause, spec_id,
    :stack IS NULL OR stack_set_id IN (
      SELECT m.stack_set_id FROM stack_set_member m JOIN stack t USING (stack_id)
      WHERE t.name = :stack) AS in_stack
  FROM spec_drift
  WHERE from_snapshot = :from
    AND to_snapshot = :to
    AND cause IN ('rebuilt', 'copies')
    AND package_id IN (SELECT package_id FROM package WHERE name GLOB :package)),
grouped AS MATERIALIZED (
  SELECT group_look_id
  FROM chosen
  GROUP BY group_look_id
  HAVING max(cause = 'rebuilt') AND max(in_stack)),
rebuilt AS MATERIALIZED (
  SELECT
    group_look_id, group_compiler_id,
    count(*) FILTER (WHERE change = 'added')                  AS added,
    count(*) FILTER (WHERE change = 'removed')                AS removed,
    group_concat(hash, ',') FILTER (WHERE change = 'removed') AS hashes_before,
    group_concat(hash, ',') FILTER (WHERE change = 'added')   AS hashes_after
  FROM (
    SELECT d.group_look_id, d.group_compiler_id, d.change, x.hash
    FROM chosen d
    CROSS JOIN spec x USING (spec_id)
    WHERE d.group_look_id IN (SELECT group_look_id FROM grouped)
    ORDER BY d.group_look_id, x.hash)
  GROUP BY group_look_id)
SELECT
  'rebuilt'        AS kind,
  l.package,
  l.version,
  l.platform,
  l.os,
  l.target,
  c.spec           AS compiler,
  l.variants,
  g.added,
  g.removed,
  g.hashes_before,
  g.hashes_after
FROM rebuilt g
CROSS JOIN looks l ON l.look_id = g.group_look_id
LEFT JOIN compiler c ON c.compiler_id = g.group_compiler_id
ORDER BY l.package, l.version, l.platform, l.os, l.target, c.spec, l.variants;
