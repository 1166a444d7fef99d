-- What some builds need directly: if :deep is 'runtime', to link or to run; if it is 'all', for anything. :specs is a JSON array of
-- spec_ids.
SELECT DISTINCT d.dependency_id
FROM json_each(:specs) j
CROSS JOIN dependency d ON d.spec_id = j.value
CROSS JOIN edge_kind e USING (edge_kind_id)
WHERE :deep = 'all' OR (:deep = 'runtime' AND (e.is_link OR e.is_run));
