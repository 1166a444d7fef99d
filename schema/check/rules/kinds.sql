-- A series is of pages and indexes, or of lock files, or of install databases. Only a snapshot of indexes has unobserved
-- stacks, and they agree on whether root was observed. What is not made from pages observes all packages, or none.
SELECT 'series: ' || r.name || ' has snapshots of ' || group_concat(DISTINCT s.kind) AS problem
FROM snapshot s
JOIN series r USING (series_id)
GROUP BY s.series_id
HAVING count(DISTINCT CASE s.kind WHEN 'index' THEN 'pages' ELSE s.kind END) > 1
UNION ALL
SELECT 'unobserved_stack: ' || s.name || ' can''t have ' || u.stack || ' unobserved'
FROM unobserved_stack u
JOIN snapshot s USING (snapshot_id)
WHERE s.kind <> 'index'
   OR u.has_root <> (SELECT max(o.has_root) FROM unobserved_stack o WHERE o.snapshot_id = u.snapshot_id)
   OR (u.has_root AND u.stack = 'root')
UNION ALL
SELECT 'snapshot: ' || s.name || ' is of ' || s.kind || ', and observes some packages only'
FROM snapshot s
WHERE s.kind <> 'pages'
  AND EXISTS (SELECT 1 FROM observation_exception e WHERE e.snapshot_id = s.snapshot_id);
