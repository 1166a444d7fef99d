-- title: Coverage by platform, operating system and target
-- How many packages, versions and builds are built for each system (platform, operating system and target).
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
-- param: stack glob = null      only builds of stacks that match; '(no stack)': in none
-- total: specs
-- chart: bars: platform=unknown,os=unknown,target=unknown specs
-- caption: Builds for each system
-- unit: builds specs
-- filters: looks
-- form: coverage/systems by system
WITH built AS MATERIALIZED (
  SELECT package_id, look_id, count(*) AS specs
  FROM present_specs
  WHERE snapshot = :at
    AND glob(:package, package)
    AND (:stack IS NULL OR stack_set_id IN (
      SELECT stack_set_id FROM stack_set_stacks WHERE stack = :stack OR glob(:stack, stack)))
  GROUP BY package_id, look_id),
version AS MATERIALIZED (
  SELECT l.arch_id, l.package_id, l.version_id, sum(b.specs) AS specs
  FROM built b
  CROSS JOIN asked_looks l USING (look_id)
  GROUP BY l.arch_id, l.package_id, l.version_id),
counted AS MATERIALIZED (
  SELECT arch_id, count(DISTINCT package_id) AS packages, count(version_id) AS versions, sum(specs) AS specs
  FROM version
  GROUP BY arch_id)
SELECT
  a.platform,
  a.os,
  a.target,
  n.packages,
  n.versions,
  n.specs
FROM counted n
LEFT JOIN arch a USING (arch_id)
ORDER BY a.platform NULLS FIRST, a.os NULLS FIRST, a.target NULLS FIRST;
