-- The intervals and the findings of a page belong to its package. A finding of a page has no path: the path is in the
-- intervals of the page.
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
WHERE f.package_id IS NOT g.package_id OR f.path IS NOT NULL;
