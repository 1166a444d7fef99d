-- A series is of pages and indexes, or of lock files, or of install databases. Only a snapshot of indexes has unobserved
-- stacks, and they agree on whether root was observed. What is not made from pages observes all packages, or none: a finding
-- then says why. So does one for each stack that is not observed, and each package that a whole snapshot of pages does not observe.
-- A package that a partial one observes has a page. Only what is not made from pages has files, whose numbers run from 0 on.
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
  AND EXISTS (SELECT 1 FROM observation_exception e WHERE e.snapshot_id = s.snapshot_id)
UNION ALL
SELECT 'snapshot: ' || s.name || ' is of ' || s.kind || ' and observes nothing, '
    || CASE WHEN f.finding_id IS NULL THEN 'and no finding says why' ELSE 'and has files' END
FROM snapshot s
LEFT JOIN finding f ON f.snapshot_id = s.snapshot_id AND f.kind = 'file-unreadable'
WHERE s.kind <> 'pages' AND s.observes_all = 0
  AND (f.finding_id IS NULL OR EXISTS (SELECT 1 FROM snapshot_file i WHERE i.snapshot_id = s.snapshot_id))
UNION ALL
SELECT 'snapshot: ' || s.name || ' observes what a finding says could not be read'
FROM snapshot s
WHERE (s.kind <> 'pages' AND s.observes_all = 1
    AND EXISTS (SELECT 1 FROM finding f WHERE f.snapshot_id = s.snapshot_id AND f.kind = 'file-unreadable'))
   OR (NOT EXISTS (SELECT 1 FROM unobserved_stack u WHERE u.snapshot_id = s.snapshot_id)
    AND EXISTS (SELECT 1 FROM finding f WHERE f.snapshot_id = s.snapshot_id AND f.kind = 'label-unreadable'))
UNION ALL
SELECT 'unobserved_stack: no finding of ' || s.name || ' says why ' || u.stack || ' is not observed'
FROM unobserved_stack u
JOIN snapshot s USING (snapshot_id)
WHERE u.stack = ''
   OR NOT EXISTS (SELECT 1 FROM finding f WHERE f.snapshot_id = s.snapshot_id AND f.kind = 'label-unreadable')
UNION ALL
SELECT 'unobserved_stack: ' || s.name || ' has ' || count(*) || ', its findings are of fewer'
FROM unobserved_stack u
JOIN snapshot s USING (snapshot_id)
WHERE NOT EXISTS (SELECT 1 FROM finding f WHERE f.snapshot_id = s.snapshot_id AND f.kind = 'more-findings')
GROUP BY s.snapshot_id
HAVING count(*) > (
  SELECT count(*) FROM finding f WHERE f.snapshot_id = s.snapshot_id AND f.kind = 'label-unreadable')
UNION ALL
SELECT 'observation_exception: ' || s.name || CASE WHEN s.observes_all = 1
    THEN ' does not observe ' || k.name || ', and no finding says why'
    ELSE ' observes ' || k.name || ', and no page is there' END
FROM observation_exception e
JOIN snapshot s USING (snapshot_id)
JOIN package k USING (package_id)
WHERE CASE WHEN s.observes_all = 1
  THEN NOT EXISTS (
    SELECT 1 FROM finding f
    WHERE f.snapshot_id = s.snapshot_id AND f.package_id = e.package_id AND f.kind IN ('page-unreadable', 'page-duplicate'))
  ELSE NOT EXISTS (
    SELECT 1 FROM page_presence p
    WHERE p.series_id = s.series_id AND p.package_id = e.package_id
      AND p.valid_from <= s.taken_at AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)) END
UNION ALL
SELECT 'observation_exception: ' || s.name || ' observes ' || k.name || ', whose page could not be read'
FROM finding f
JOIN snapshot s USING (snapshot_id)
JOIN package k USING (package_id)
WHERE f.kind = 'page-unreadable' AND s.observes_all = 1
  AND NOT EXISTS (
    SELECT 1 FROM observation_exception e WHERE e.snapshot_id = s.snapshot_id AND e.package_id = f.package_id)
  AND NOT EXISTS (
    SELECT 1 FROM page_presence p
    WHERE p.series_id = s.series_id AND p.package_id = f.package_id
      AND p.valid_from <= s.taken_at AND (p.valid_to IS NULL OR p.valid_to > s.taken_at))
UNION ALL
SELECT 'snapshot_file: number ' || i.number || ' of ' || s.name || CASE
    WHEN s.kind = 'pages' THEN ', which is of pages'
    WHEN i.size < 0 OR i.rules < 1 THEN ' has a size or rules below what there is'
    WHEN i.sha256 GLOB '*[^0-9a-f]*' THEN ' has a sha256 that is no 64 hex digits'
    WHEN instr(i.label, ',') > 0 THEN ' has a label with a comma'
    ELSE ' has none before it' END
FROM snapshot_file i
JOIN snapshot s USING (snapshot_id)
WHERE s.kind = 'pages' OR i.size < 0 OR i.rules < 1 OR i.sha256 GLOB '*[^0-9a-f]*' OR instr(i.label, ',') > 0
   OR (i.number <> 0 AND NOT EXISTS (
     SELECT 1 FROM snapshot_file o WHERE o.snapshot_id = i.snapshot_id AND o.number = i.number - 1))
UNION ALL
SELECT 'snapshot_file: ' || sha256 || ' is of files with ' || min(size) || ' and ' || max(size) || ' bytes'
FROM snapshot_file
GROUP BY sha256
HAVING min(size) <> max(size);
