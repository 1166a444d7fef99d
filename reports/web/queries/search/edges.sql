-- What some specs need, and what that needs: if :deep is 'runtime', to link or to run; if it is 'all', for anything. :specs is a JSON
-- array of spec_ids.
WITH RECURSIVE reached (spec_id) AS (
  SELECT value FROM json_each(:specs)
  UNION
  SELECT d.dependency_id
  FROM reached r
  CROSS JOIN dependency d USING (spec_id)
  CROSS JOIN edge_kind e USING (edge_kind_id)
  WHERE :deep = 'all' OR (:deep = 'runtime' AND (e.is_link OR e.is_run)))
SELECT
  d.spec_id, d.dependency_id, k.name AS package, e.deptypes, e.virtuals, n.spec_id IS NOT NULL AS is_described
FROM reached r
CROSS JOIN dependency d USING (spec_id)
CROSS JOIN edge_kind e USING (edge_kind_id)
CROSS JOIN spec x ON x.spec_id = d.dependency_id
CROSS JOIN look l USING (look_id)
CROSS JOIN package k USING (package_id)
LEFT JOIN node n ON n.spec_id = d.dependency_id;
