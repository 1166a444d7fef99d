-- title: Compilers that changed
-- Compilers that a version of a package on one system is no longer built with (`lost`) or is newly built with
-- (`gained`). A build without a compiler matches any compiler and is not listed.
-- param: from snapshot = {to}~1   the snapshot before
-- param: to snapshot = latest     the snapshot after
-- param: package glob = *         only packages that match
-- param: stack glob = null        compare only builds in matching stacks
-- filters: looks
-- Outside of the program, :stack must be NULL or a name: the view stack_drift does not take patterns.
-- command: diff
WITH chosen AS MATERIALIZED (
  SELECT d.look_id, d.change, count(*) AS specs
  FROM stack_drift d
  CROSS JOIN asked_looks USING (look_id)
  WHERE d.from_snapshot = :from
    AND d.to_snapshot = :to
    AND d.stack IS NOT DISTINCT FROM :stack
    AND d.cause = 'compiler'
    AND d.package_id IN (SELECT package_id FROM package WHERE glob(:package, name))
  GROUP BY d.look_id, d.change),
counted AS (
  SELECT
    l.package, l.version, l.version_key, l.platform, l.os, l.target, c.change, l.compiler, sum(c.specs) AS specs
  FROM chosen c
  CROSS JOIN looks l USING (look_id)
  GROUP BY
    l.package, l.version, l.version_key, l.platform, l.os, l.target, c.change, l.compiler, l.compiler_key
  ORDER BY
    l.package, l.version_key NULLS FIRST, l.platform NULLS FIRST, l.os NULLS FIRST, l.target NULLS FIRST, c.change,
    l.compiler_key)
SELECT
  'compiler-changed'                                              AS kind,
  package,
  min(version)                                                    AS version,
  platform,
  os,
  target,
  group_concat(compiler, ',') FILTER (WHERE change = 'removed')   AS lost,
  group_concat(compiler, ',') FILTER (WHERE change = 'added')     AS gained,
  coalesce(sum(specs) FILTER (WHERE change = 'added'), 0)           AS added,
  coalesce(sum(specs) FILTER (WHERE change = 'removed'), 0)         AS removed
FROM counted
GROUP BY package, version_key, platform, os, target
ORDER BY package, version_key NULLS FIRST, platform NULLS FIRST, os NULLS FIRST, target NULLS FIRST;
