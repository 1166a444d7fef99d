-- The intervals and the findings of a page belong to its package. A finding of a page has no path: the path is in the
-- intervals of the page. A page that was read has a path. One that was made from a state has neither path nor tag, and is in force
-- at snapshots of indexes, lock files and install databases only, as one that was read is at those of pages.
SELECT 'page_presence: ' || lower(hex(g.digest)) || ' in ' || r.name || ' is kept as a page of ' || k.name
    || ', it is one of ' || o.name AS problem
FROM page_presence p
JOIN page g USING (page_id)
JOIN series r ON r.series_id = p.series_id
JOIN package k ON k.package_id = p.package_id
JOIN package o ON o.package_id = g.package_id
WHERE p.package_id <> g.package_id
UNION ALL
SELECT 'finding: ' || f.kind || ' on page ' || lower(hex(g.digest)) || ' of ' || k.name || ' says another package, or a path'
FROM finding f
JOIN page g USING (page_id)
JOIN package k ON k.package_id = g.package_id
WHERE f.package_id IS NOT g.package_id OR f.path IS NOT NULL
UNION ALL
SELECT 'page_presence: ' || lower(hex(g.digest)) || ' of ' || k.name || ' in ' || r.name || CASE
    WHEN s.kind = 'pages' THEN ' has no path'
    WHEN p.path <> '' THEN ' has the path ' || p.path || ', and is not of a page that was read'
    ELSE ' has the tag ' || g.tag || ', and is not of a page that was read' END
FROM page_presence p
JOIN page g USING (page_id)
JOIN series r ON r.series_id = p.series_id
JOIN package k ON k.package_id = p.package_id
JOIN snapshot s ON s.series_id = p.series_id AND s.taken_at = p.valid_from
WHERE CASE s.kind WHEN 'pages' THEN p.path = '' ELSE p.path <> '' OR g.tag IS NOT NULL END
UNION ALL
-- It is enough to look where the kind of a series changes.
SELECT 'page_presence: ' || lower(hex(g.digest)) || ' of ' || k.name || ' in ' || r.name || ' is still in force at '
    || s.name || ', which is of ' || s.kind
FROM snapshot s
JOIN series r USING (series_id)
JOIN page_presence p ON p.series_id = s.series_id AND p.valid_from < s.taken_at
  AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
JOIN page g USING (page_id)
JOIN package k ON k.package_id = p.package_id
WHERE s.observes_all = 1
  AND NOT EXISTS (SELECT 1 FROM observation_exception e WHERE e.snapshot_id = s.snapshot_id)
  AND (s.kind = 'pages') <> (
    SELECT b.kind = 'pages' FROM snapshot b
    WHERE b.series_id = s.series_id AND b.taken_at < s.taken_at ORDER BY b.taken_at DESC LIMIT 1)
  AND (s.kind = 'pages') = (p.path = '');
