-- title: Drift by package
-- How many builds of each package were added and removed, and how many of these each cause explains (drift/summary tells the
-- causes apart). The causes add up to `added` and `removed` together, so each pair of `rebuilt` counts twice. `gained_or_lost`
-- counts the builds of packages that only one snapshot has. The packages with the most changes come first.
-- param: from snapshot = {to}~1   the snapshot before
-- param: to snapshot = latest     the snapshot after
-- param: package glob = *         only packages that match
-- param: stack glob = null        compare only builds in matching stacks
-- total: added removed gained_or_lost version target compiler variants rebuilt copies
-- chart: bars: package gained_or_lost version target compiler variants rebuilt copies
-- caption: Builds added and removed of each package, by cause
-- unit: builds gained_or_lost version target compiler variants rebuilt copies
-- filters: looks
-- Outside of the program, :stack must be NULL or a name: the view stack_drift does not take patterns.
-- command: diff
SELECT
  k.name                                         AS package,
  count(*) FILTER (WHERE d.change = 'added')     AS added,
  count(*) FILTER (WHERE d.change = 'removed')   AS removed,
  count(*) FILTER (WHERE d.cause = 'package')    AS gained_or_lost,
  count(*) FILTER (WHERE d.cause = 'version')    AS version,
  count(*) FILTER (WHERE d.cause = 'target')     AS target,
  count(*) FILTER (WHERE d.cause = 'compiler')   AS compiler,
  count(*) FILTER (WHERE d.cause = 'variants')   AS variants,
  count(*) FILTER (WHERE d.cause = 'rebuilt')    AS rebuilt,
  count(*) FILTER (WHERE d.cause = 'copies')     AS copies
FROM stack_drift d
CROSS JOIN asked_looks USING (look_id)
CROSS JOIN package k ON k.package_id = d.package_id
WHERE d.from_snapshot = :from
  AND d.to_snapshot = :to
  AND d.stack IS NOT DISTINCT FROM :stack
  AND glob(:package, k.name)
GROUP BY k.name
ORDER BY count(*) DESC, k.name;
