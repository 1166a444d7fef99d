-- What some specs need directly. :specs is a JSON array of spec_ids.
SELECT
  d.spec_id, d.dependency_id, k.name AS package, e.deptypes, e.virtuals, n.spec_id IS NOT NULL AS is_described
FROM json_each(:specs) j
CROSS JOIN dependency d ON d.spec_id = j.value
CROSS JOIN edge_kind e USING (edge_kind_id)
CROSS JOIN spec x ON x.spec_id = d.dependency_id
CROSS JOIN look l USING (look_id)
CROSS JOIN package k USING (package_id)
LEFT JOIN node n ON n.spec_id = d.dependency_id;
