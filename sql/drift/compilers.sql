-- title: Compilers that changed
-- Where a version of a package, on one system, is built with other compilers than before.
-- param: from snapshot = {to}~1   the snapshot before
-- param: to snapshot = latest     the snapshot after
-- param: package glob = *         only packages that match
-- param: stack text = null        only specs that are, or were, in this stack (causes are those of the whole cache)
WITH chosen AS MATERIALIZED (
  SELECT
    k.name AS package,
    l.version,
    l.platform,
    l.os,
    l.target,
    d.change,
    l.compiler
  FROM spec_drift d
  JOIN package k USING (package_id)
  JOIN looks l USING (look_id)
  WHERE d.from_snapshot = :from
    AND d.to_snapshot = :to
    AND d.cause = 'compiler'
    AND k.name GLOB :package
  AND (:stack IS NULL OR d.stack_set_id IN (
    SELECT m.stack_set_id FROM stack_set_member m JOIN stack t USING (stack_id) WHERE t.name = :stack))),
counted AS (
  SELECT package, version, platform, os, target, change, compiler, count(*) AS specs
  FROM chosen
  GROUP BY package, version, platform, os, target, change, compiler
  ORDER BY package, version, platform, os, target, change, compiler)
SELECT
  'compiler-changed'                                              AS kind,
  package,
  version,
  platform,
  os,
  target,
  group_concat(compiler, ',') FILTER (WHERE change = 'removed')   AS "before",
  group_concat(compiler, ',') FILTER (WHERE change = 'added')     AS "after",
  ifnull(sum(specs) FILTER (WHERE change = 'added'), 0)           AS added,
  ifnull(sum(specs) FILTER (WHERE change = 'removed'), 0)         AS removed
FROM counted
GROUP BY package, version, platform, os, target
ORDER BY package, version, platform, os, target;
