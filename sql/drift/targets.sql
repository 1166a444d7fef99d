-- title: Targets gained and lost
-- Versions of packages that are built for other systems (platform-os-target) than before.
-- param: from snapshot = {to}~1   the snapshot before
-- param: to snapshot = latest     the snapshot after
-- param: package glob = *         only packages that match
-- param: stack text = null        only specs that are, or were, in this stack (causes are those of the whole cache)
WITH chosen AS MATERIALIZED (
  SELECT
    k.name                                           AS package,
    l.version,
    d.change,
    l.platform || '-' || l.os || '-' || l.target     AS system
  FROM spec_drift d
  JOIN package k USING (package_id)
  JOIN looks l USING (look_id)
  WHERE d.from_snapshot = :from
    AND d.to_snapshot = :to
    AND d.cause = 'target'
    AND k.name GLOB :package
  AND (:stack IS NULL OR d.stack_set_id IN (
    SELECT m.stack_set_id FROM stack_set_member m JOIN stack t USING (stack_id) WHERE t.name = :stack))),
counted AS (
  SELECT package, version, change, system, count(*) AS specs
  FROM chosen
  GROUP BY package, version, change, system
  ORDER BY package, version, change, system)
SELECT
  'target-changed'                                                AS kind,
  package,
  version,
  group_concat(system, ',') FILTER (WHERE change = 'added')       AS gained,
  group_concat(system, ',') FILTER (WHERE change = 'removed')     AS lost,
  ifnull(sum(specs) FILTER (WHERE change = 'added'), 0)           AS added,
  ifnull(sum(specs) FILTER (WHERE change = 'removed'), 0)         AS removed
FROM counted
GROUP BY package, version
ORDER BY package, version;
