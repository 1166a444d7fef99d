-- The intervals of a spec, or of a package's page, in a series do not overlap. Two that touch differ in their stacks, or
-- in their page. `came` is 1 if no other interval of the spec ends where this one begins, `went` is 1 if none begins where
-- it ends. It is enough to compare neighbours, and few specs have any.
WITH doubtful AS MATERIALIZED (
  SELECT series_id, package_id, look_id, spec_id
  FROM presence
  GROUP BY series_id, package_id, look_id, spec_id
  HAVING count(*) > 1 OR min(came) = 0 OR max(valid_to IS NOT NULL AND went = 0)),
presence_pair AS (
  SELECT series_id, package_id, spec_id, valid_from, valid_to, stack_set_id, came, went,
    lag(valid_to) OVER spec_in_time      AS last_to,
    lead(valid_from) OVER spec_in_time   AS next_from,
    lead(stack_set_id) OVER spec_in_time AS next_stack_set_id
  FROM doubtful
  CROSS JOIN presence USING (series_id, package_id, look_id, spec_id)
  WINDOW spec_in_time AS (PARTITION BY series_id, package_id, look_id, spec_id ORDER BY valid_from)),
page_pair AS (
  SELECT series_id, package_id, valid_to, page_id, path,
    lead(valid_from) OVER package_in_time AS next_from,
    lead(page_id) OVER package_in_time    AS next_page_id,
    lead(path) OVER package_in_time       AS next_path
  FROM page_presence
  WINDOW package_in_time AS (PARTITION BY series_id, package_id ORDER BY valid_from))
SELECT 'presence: ' || k.name || ' ' || x.hash || ' in ' || r.name || CASE
    WHEN p.next_from < ifnull(p.valid_to, 9223372036854775807) THEN ' has two intervals that overlap'
    WHEN p.next_from = p.valid_to AND p.next_stack_set_id IS p.stack_set_id THEN ' has two intervals that could be one'
    WHEN p.came = (p.last_to IS p.valid_from)
    THEN ' says that it ' || CASE WHEN p.came THEN 'came' ELSE 'did not come' END || ' at '
      || ifnull(strftime('%Y-%m-%dT%H:%M:%SZ', p.valid_from, 'unixepoch'), p.valid_from) || ', where '
      || CASE WHEN p.came THEN 'another' ELSE 'no other' END || ' interval of it ends'
    ELSE ' says that it ' || CASE WHEN p.went THEN 'went' ELSE 'did not go' END || ' at '
      || ifnull(strftime('%Y-%m-%dT%H:%M:%SZ', p.valid_to, 'unixepoch'), p.valid_to) || ', where '
      || CASE WHEN p.went THEN 'another' ELSE 'no other' END || ' interval of it begins'
    END AS problem
FROM presence_pair p
JOIN series r ON r.series_id = p.series_id
JOIN package k ON k.package_id = p.package_id
JOIN spec x ON x.spec_id = p.spec_id
WHERE p.next_from < ifnull(p.valid_to, 9223372036854775807)
   OR (p.next_from = p.valid_to AND p.next_stack_set_id IS p.stack_set_id)
   OR p.came = (p.last_to IS p.valid_from)
   OR (p.valid_to IS NOT NULL AND p.went = (p.next_from IS p.valid_to))
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
