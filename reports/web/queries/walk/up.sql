-- What needs some builds directly, to build, link or run, as in the report audit/dependents. :specs is a JSON array of spec_ids.
SELECT DISTINCT d.spec_id
FROM json_each(:specs) j
CROSS JOIN dependency d ON d.dependency_id = j.value
CROSS JOIN edge_kind e USING (edge_kind_id)
WHERE e.is_build OR e.is_link OR e.is_run;
