-- title: Targets gained and lost
-- Systems (platform-os-target) that a version of a package is newly built for (`gained`) or no longer built for
-- (`lost`).
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
    AND d.cause = 'target'
    AND d.package_id IN (SELECT package_id FROM package WHERE glob(:package, name))
  GROUP BY d.look_id, d.change),
counted AS (
  SELECT
    l.package, l.version, l.version_key, c.change, l.platform || '-' || l.os || '-' || l.target AS system,
    sum(c.specs) AS specs
  FROM chosen c
  CROSS JOIN looks l USING (look_id)
  GROUP BY l.package, l.version, l.version_key, c.change, system
  ORDER BY l.package, l.version_key NULLS FIRST, c.change, system)
SELECT
  'target-changed'                                                AS kind,
  package,
  min(version)                                                    AS version,
  group_concat(system, ',') FILTER (WHERE change = 'added')       AS gained,
  group_concat(system, ',') FILTER (WHERE change = 'removed')     AS lost,
  coalesce(sum(specs) FILTER (WHERE change = 'added'), 0)           AS added,
  coalesce(sum(specs) FILTER (WHERE change = 'removed'), 0)         AS removed
FROM counted
GROUP BY package, version_key
ORDER BY package, version_key NULLS FIRST;
