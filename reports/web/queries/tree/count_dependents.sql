-- How many builds of the snapshot :at need a build to build, link or run: directly, and in all. These are the rows of the report
-- audit/dependents; here the key of presence is asked for each, so that no other part of the ledger is read.
WITH RECURSIVE
kind (edge_kind_id) AS MATERIALIZED (
  SELECT edge_kind_id FROM edge_kind WHERE is_build = 1 OR is_link = 1 OR is_run = 1),
direct (spec_id) AS MATERIALIZED (
  SELECT DISTINCT d.spec_id
  FROM dependency d
  CROSS JOIN kind k ON k.edge_kind_id = d.edge_kind_id
  WHERE d.dependency_id = :spec_id),
above (spec_id) AS (
  SELECT spec_id FROM direct
  UNION
  SELECT d.spec_id
  FROM above a
  CROSS JOIN dependency d ON d.dependency_id = a.spec_id
  CROSS JOIN kind k ON k.edge_kind_id = d.edge_kind_id)
SELECT
  count(*) FILTER (WHERE a.spec_id IN (SELECT spec_id FROM direct)) AS direct,
  count(*) AS builds,
  count(DISTINCT l.package_id) AS packages
FROM above a
CROSS JOIN spec x ON x.spec_id = a.spec_id
CROSS JOIN look l ON l.look_id = x.look_id
CROSS JOIN snapshot s ON s.name = :at
CROSS JOIN presence p
  ON p.series_id = s.series_id AND p.package_id = l.package_id AND p.look_id = x.look_id AND p.spec_id = x.spec_id
 AND p.valid_from <= s.taken_at AND (p.valid_to IS NULL OR p.valid_to > s.taken_at);
