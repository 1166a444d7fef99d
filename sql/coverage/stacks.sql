-- title: Coverage by stack
-- How many packages, versions and builds each stack has. `root`, the union of all stacks, is left out. Builds in no stack
-- come last, as '(no stack)'. Builds whose page does not give stacks are left out. Where a package repository is
-- loaded, `wanted` counts the specs that the list of the stack wanted at the moment of the snapshot. `there` counts those that
-- a build of the stack surely meets, and `percent` is there of wanted. The filters of builds do not change these three. The
-- report coverage/wishes says more of them.
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
-- chart: bars: stack specs
-- caption: Builds of each stack
-- unit: builds specs
-- filters: looks
WITH version AS MATERIALIZED (
  SELECT p.stack_set_id, p.package_id, l.version_id, count(*) AS specs
  FROM present_specs p
  CROSS JOIN asked_looks l USING (look_id)
  WHERE p.snapshot = :at
    AND glob(:package, p.package)
  GROUP BY p.stack_set_id, p.package_id, l.version_id),
-- The id of each stack; NULL for '(no stack)'.
member AS (
  SELECT m.stack_id, v.package_id, v.version_id, v.specs
  FROM version v
  CROSS JOIN stack_set_member m USING (stack_set_id)
  UNION ALL
  SELECT NULL, v.package_id, v.version_id, v.specs
  FROM version v
  CROSS JOIN stack_set g USING (stack_set_id)
  WHERE g.named_stacks = ''),
counted AS MATERIALIZED (
  SELECT
    stack_id,
    count(DISTINCT package_id)                    AS packages,
    count(DISTINCT package_id << 32 | version_id) AS versions,
    sum(specs)                                    AS specs
  FROM member
  GROUP BY stack_id),
wish AS MATERIALIZED (
  SELECT stack, count(*) AS wanted, count(*) FILTER (WHERE met = 2) AS there
  FROM wish_states
  WHERE snapshot = :at
    AND glob(:package, coalesce(package, ''))
  GROUP BY stack)
SELECT
  coalesce(t.name, '(no stack)') AS stack,
  n.packages,
  n.versions,
  n.specs,
  w.wanted,
  w.there,
  (20000 * w.there + w.wanted) / (2 * w.wanted) / 100.0 AS percent  -- half up
FROM counted n
LEFT JOIN stack t USING (stack_id)
LEFT JOIN wish w ON w.stack = t.name
WHERE t.is_root IS DISTINCT FROM 1
ORDER BY n.stack_id IS NULL, t.name;
