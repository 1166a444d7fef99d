-- title: Rebuilt without any visible change
-- Specs whose look stayed and whose hash did not: a dependency, a patch, the recipe or the hash function changed. One row a
-- look group, with its hashes before and after; where more were built than went, or fewer, the surplus is in the row
-- as well. `compiler` is empty where a spec of the group has none.
-- param: from snapshot = {to}~1   the snapshot before
-- param: to snapshot = latest     the snapshot after
-- param: package glob = *         only packages that match
-- param: stack text = null        only groups of which a changed spec is, or was, in this stack
WITH chosen AS MATERIALIZED (
  SELECT d.group_look_id, d.group_compiler_id, d.change, d.cause, x.hash,
    :stack IS NULL OR d.stack_set_id IN (
      SELECT m.stack_set_id FROM stack_set_member m JOIN stack t USING (stack_id)
      WHERE t.name = :stack) AS in_stack
  FROM spec_drift d
  JOIN package k USING (package_id)
  JOIN spec x USING (spec_id)
  WHERE d.from_snapshot = :from
    AND d.to_snapshot = :to
    AND d.cause IN ('rebuilt', 'copies')
    AND k.name GLOB :package
  ORDER BY d.group_look_id, x.hash)
SELECT
  'rebuilt'                                                  AS kind,
  l.package,
  l.version,
  l.platform,
  l.os,
  l.target,
  c.spec                                                     AS compiler,
  l.variants,
  count(*) FILTER (WHERE g.change = 'added')                 AS added,
  count(*) FILTER (WHERE g.change = 'removed')               AS removed,
  group_concat(g.hash, ',') FILTER (WHERE g.change = 'removed') AS hashes_before,
  group_concat(g.hash, ',') FILTER (WHERE g.change = 'added')   AS hashes_after
FROM chosen g
JOIN looks l ON l.look_id = g.group_look_id
LEFT JOIN compiler c ON c.compiler_id = g.group_compiler_id
GROUP BY g.group_look_id
HAVING max(g.cause = 'rebuilt') AND max(g.in_stack)
ORDER BY l.package, l.version, l.platform, l.os, l.target, c.spec, l.variants;
