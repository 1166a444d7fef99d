-- A spec, or a package's page, is in its series once at a time, and intervals that say the same are one. Of intervals that
-- overlap, two that follow each other do.
WITH presence_pair AS (
  SELECT series_id, package_id, spec_id, valid_to, stack_set_id,
    lead(valid_from) OVER spec_in_time   AS next_from,
    lead(stack_set_id) OVER spec_in_time AS next_stack_set_id
  FROM presence
  WINDOW spec_in_time AS (PARTITION BY series_id, package_id, look_id, spec_id ORDER BY valid_from)),
page_pair AS (
  SELECT series_id, package_id, valid_to, page_id, path,
    lead(valid_from) OVER package_in_time AS next_from,
    lead(page_id) OVER package_in_time    AS next_page_id,
    lead(path) OVER package_in_time       AS next_path
  FROM page_presence
  WINDOW package_in_time AS (PARTITION BY series_id, package_id ORDER BY valid_from))
SELECT 'presence: ' || k.name || ' ' || x.hash || ' in ' || r.name || ' has two intervals that '
    || CASE WHEN p.next_from = p.valid_to THEN 'could be one' ELSE 'overlap' END AS problem
FROM presence_pair p
JOIN series r ON r.series_id = p.series_id
JOIN package k ON k.package_id = p.package_id
JOIN spec x ON x.spec_id = p.spec_id
WHERE p.next_from IS NOT NULL
  AND (p.valid_to IS NULL
    OR p.next_from < p.valid_to
    OR (p.next_from = p.valid_to AND p.next_stack_set_id IS p.stack_set_id))
UNION ALL
SELECT 'page_presence: ' || k.name || ' in ' || r.name || ' has two intervals that '
    || CASE WHEN p.next_from = p.valid_to THEN 'could be one' ELSE 'overlap' END
FROM page_pair p
JOIN series r ON r.series_id = p.series_id
JOIN package k ON k.package_id = p.package_id
WHERE p.next_from IS NOT NULL
  AND (p.valid_to IS NULL
    OR p.next_from < p.valid_to
    OR (p.next_from = p.valid_to AND p.next_page_id = p.page_id AND p.next_path = p.path));
