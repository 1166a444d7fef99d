-- title: Rebuilt without any visible change
-- Builds with the same look and another hash: a dependency, a patch, the recipe or the hash function changed. One row
-- for each look group, with its hashes before and after. If the counts differ, the row also lists the extra builds.
-- `compiler` is empty if a build of the group has none.
-- param: from snapshot = {to}~1   the snapshot before
-- param: to snapshot = latest     the snapshot after
-- param: package glob = *         only packages that match
-- param: stack glob = null        compare only builds in matching stacks
-- filters: looks
-- Outside of the program, :stack must be NULL or a name: the view stack_drift does not take patterns.
-- command: diff
WITH rebuilt AS MATERIALIZED (
  SELECT
    group_look_id,
    min(group_compiler_id)                                    AS compiler_id,
    count(*) FILTER (WHERE change = 'added')                  AS added,
    count(*) FILTER (WHERE change = 'removed')                AS removed,
    group_concat(hash, ',') FILTER (WHERE change = 'removed') AS hashes_before,
    group_concat(hash, ',') FILTER (WHERE change = 'added')   AS hashes_after
  FROM (
    SELECT d.group_look_id, d.group_compiler_id, d.change, x.hash
    FROM stack_drift d
    CROSS JOIN asked_looks USING (look_id)
    CROSS JOIN spec x USING (spec_id)
    WHERE d.from_snapshot = :from
      AND d.to_snapshot = :to
      AND d.stack IS NOT DISTINCT FROM :stack
      AND d.group_added > 0
      AND d.group_removed > 0
      AND d.package_id IN (SELECT package_id FROM package WHERE glob(:package, name))
    ORDER BY d.group_look_id, x.hash) o
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
LEFT JOIN compiler c ON c.compiler_id = g.compiler_id
ORDER BY
  l.package, l.version_key NULLS FIRST, l.platform NULLS FIRST, l.os NULLS FIRST, l.target NULLS FIRST,
  c.sort_key NULLS FIRST, l.variants NULLS FIRST;
