-- An interval begins and ends only at snapshots of its series that observed the package.
WITH bound AS (
  SELECT 'presence' AS part, series_id, package_id, valid_from AS moment FROM presence
  UNION
  SELECT 'presence', series_id, package_id, valid_to FROM presence WHERE valid_to IS NOT NULL
  UNION
  SELECT 'page_presence', series_id, package_id, valid_from FROM page_presence
  UNION
  SELECT 'page_presence', series_id, package_id, valid_to FROM page_presence
  WHERE valid_to IS NOT NULL)
SELECT b.part || ': an interval of ' || k.name || ' in ' || r.name || ' begins or ends at '
    || ifnull(strftime('%Y-%m-%dT%H:%M:%SZ', b.moment, 'unixepoch'), b.moment) || ', where '
    || CASE WHEN s.snapshot_id IS NULL THEN 'there is no snapshot'
            ELSE s.name || ' did not observe it' END AS problem
FROM bound b
JOIN series r ON r.series_id = b.series_id
JOIN package k ON k.package_id = b.package_id
LEFT JOIN snapshot s ON s.series_id = b.series_id AND s.taken_at = b.moment
WHERE s.snapshot_id IS NULL
   OR s.observes_all = EXISTS (
        SELECT 1 FROM observation_exception e
        WHERE e.snapshot_id = s.snapshot_id AND e.package_id = b.package_id);
