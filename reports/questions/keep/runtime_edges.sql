-- Which spec needs which other one to link or to run. What is external has no binary in a cache.
SELECT d.spec_id, d.dependency_id
FROM dependency d
JOIN edge_kind e USING (edge_kind_id)
WHERE e.is_link = 1 OR e.is_run = 1;
