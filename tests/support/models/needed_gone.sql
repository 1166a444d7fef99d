-- Builds that the later snapshot no longer has, although specs that it has need them to link or to run, directly or not: one row for
-- each package and version. `builds` counts those that are gone, `needed_by` the specs of the later snapshot that need one of them.
-- :from, :to, :package and :stack are as in the reports of drift/: they choose what is gone, not what needs it.
WITH RECURSIVE
removed (spec_id, package_id, version_id) AS MATERIALIZED (
  SELECT d.spec_id, d.package_id, l.version_id
  FROM stack_drift d
  CROSS JOIN asked_looks l ON l.look_id = d.look_id
  WHERE d.from_snapshot = :from
    AND d.to_snapshot = :to
    AND d.stack IS NOT DISTINCT FROM :stack
    AND d.change = 'removed'
    AND d.package_id IN (SELECT package_id FROM package WHERE glob(:package, name))),
runtime (edge_kind_id) AS MATERIALIZED (SELECT edge_kind_id FROM edge_kind WHERE is_link = 1 OR is_run = 1),
-- First all at once, which is quick where nothing that is gone is needed.
above (spec_id) AS (
  SELECT spec_id FROM removed
  UNION
  SELECT d.spec_id
  FROM above u
  CROSS JOIN dependency d ON d.dependency_id = u.spec_id
  WHERE d.edge_kind_id IN (SELECT edge_kind_id FROM runtime)),
later (spec_id) AS MATERIALIZED (
  SELECT p.spec_id
  FROM above u
  CROSS JOIN spec x ON x.spec_id = u.spec_id
  CROSS JOIN look l ON l.look_id = x.look_id
  CROSS JOIN present_specs p ON p.package_id = l.package_id AND p.look_id = x.look_id AND p.spec_id = x.spec_id
  WHERE p.snapshot = :to),
-- A spec that only left the stack is still there.
gone (spec_id, package_id, version_id) AS MATERIALIZED (
  SELECT spec_id, package_id, version_id FROM removed WHERE spec_id NOT IN (SELECT spec_id FROM later)),
between_them (spec_id) AS (
  SELECT spec_id FROM later
  UNION
  SELECT d.dependency_id
  FROM between_them u
  CROSS JOIN dependency d ON d.spec_id = u.spec_id
  WHERE d.edge_kind_id IN (SELECT edge_kind_id FROM runtime)
    AND d.dependency_id IN (SELECT spec_id FROM above)),
needed (package_id, version_id, spec_id) AS (
  SELECT package_id, version_id, spec_id FROM gone WHERE spec_id IN (SELECT spec_id FROM between_them)
  UNION
  SELECT u.package_id, u.version_id, d.spec_id
  FROM needed u
  CROSS JOIN dependency d ON d.dependency_id = u.spec_id
  WHERE d.edge_kind_id IN (SELECT edge_kind_id FROM runtime)
    AND d.spec_id IN (SELECT spec_id FROM between_them))
SELECT
  k.name    AS package,
  v.version AS version,
  (SELECT count(*) FROM gone g
   WHERE g.package_id = n.package_id AND g.version_id IS n.version_id
     AND g.spec_id IN (SELECT spec_id FROM between_them)) AS builds,
  count(*) FILTER (WHERE n.spec_id IN (SELECT spec_id FROM later)) AS needed_by
FROM needed n
CROSS JOIN package k ON k.package_id = n.package_id
LEFT JOIN version v ON v.version_id = n.version_id
GROUP BY n.package_id, n.version_id
ORDER BY needed_by DESC, package, v.sort_key;
