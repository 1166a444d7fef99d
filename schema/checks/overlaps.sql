-- A spec, or a package's page, is in its series once at a time, and intervals that say the same are one.
SELECT 'presence: ' || k.name || ' ' || x.hash || ' in ' || r.name || ' has two intervals that '
    || CASE WHEN q.valid_from = p.valid_to THEN 'could be one' ELSE 'overlap' END AS problem
FROM presence p
JOIN presence q
  ON q.series_id = p.series_id
 AND q.package_id = p.package_id
 AND q.look_id = p.look_id
 AND q.spec_id = p.spec_id
 AND q.valid_from > p.valid_from
 AND (p.valid_to IS NULL
   OR q.valid_from < p.valid_to
   OR (q.valid_from = p.valid_to AND q.stack_set_id IS p.stack_set_id))
JOIN series r ON r.series_id = p.series_id
JOIN package k ON k.package_id = p.package_id
JOIN spec x ON x.spec_id = p.spec_id
UNION ALL
SELECT 'page_presence: ' || k.name || ' in ' || r.name || ' has two intervals that '
    || CASE WHEN q.valid_from = p.valid_to THEN 'could be one' ELSE 'overlap' END
FROM page_presence p
JOIN page_presence q
  ON q.series_id = p.series_id
 AND q.package_id = p.package_id
 AND q.valid_from > p.valid_from
 AND (p.valid_to IS NULL
   OR q.valid_from < p.valid_to
   OR (q.valid_from = p.valid_to AND q.page_id = p.page_id AND q.path = p.path))
JOIN series r ON r.series_id = p.series_id
JOIN package k ON k.package_id = p.package_id;
