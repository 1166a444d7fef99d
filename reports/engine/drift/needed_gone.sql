-- Builds that the later snapshot no longer has, although specs that it has need them to link or to run, directly or not: one row for
-- each package and version. `builds` counts those that are gone, `needed_by` the specs of the later snapshot that need one of them.
-- :from, :to, :package and :stack are as in the reports of drift/: they choose what is gone, not what needs it.
WITH RECURSIVE
later (spec_id) AS MATERIALIZED (SELECT spec_id FROM present_specs WHERE snapshot = :to),
gone (spec_id, package_id, version_id) AS MATERIALIZED (
  SELECT p.spec_id, p.package_id, l.version_id
  FROM present_specs p
  CROSS JOIN asked_looks l ON l.look_id = p.look_id
  WHERE p.snapshot = :from
    AND p.package GLOB :package
    AND (:stack IS NULL
      OR p.stack_set_id IN (SELECT stack_set_id FROM stack_set_stacks WHERE stack = :stack OR stack GLOB :stack))
    AND p.spec_id NOT IN (SELECT spec_id FROM later)),
runtime (edge_kind_id) AS MATERIALIZED (SELECT edge_kind_id FROM edge_kind WHERE is_link = 1 OR is_run = 1),
-- First all at once, which is quick where nothing that is gone is needed.
above (spec_id) AS (
  SELECT spec_id FROM gone
  UNION
  SELECT d.spec_id
  FROM above u
  CROSS JOIN dependency d ON d.dependency_id = u.spec_id
  WHERE d.edge_kind_id IN (SELECT edge_kind_id FROM runtime)),
between_them (spec_id) AS (
  SELECT spec_id FROM above WHERE spec_id IN (SELECT spec_id FROM later)
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
