-- A row of commit_snapshot has the tag of its snapshot. Only one that was handed over may have another dated tag of the same
-- series: that of a snapshot which a rule of `forget` removed. Of such a one, `forgotten` is the name. A commit does not have more
-- rows than it touched tags. The source of a snapshot names the last of its own commits, and the file that was read, if it is
-- one.
SELECT 'commit_snapshot: ' || lower(hex(c.commit_id)) || ' has the tag ' || c.tag || ', its snapshot ' || s.name
    || ' the tag ' || s.tag AS problem
FROM commit_snapshot c
JOIN snapshot s USING (snapshot_id)
JOIN series r USING (series_id)
WHERE c.tag <> s.tag
  AND NOT (c.forgotten IS NOT NULL AND r.name LIKE '%-*'
           AND substr(c.tag, 1, length(r.name) - 1) = substr(r.name, 1, length(r.name) - 1))
UNION ALL
SELECT 'commit_snapshot: ' || lower(hex(commit_id)) || ' has ' || count(*) || ' tags, it says ' || max(tags_touched)
FROM commit_snapshot
GROUP BY commit_id, path
HAVING count(*) > max(tags_touched)
UNION ALL
SELECT 'commit_snapshot: ' || lower(hex(commit_id)) || ' of the tag ' || tag || ' was handed over by ''' || forgotten
    || ''', which is no snapshot of this tag'
FROM commit_snapshot
WHERE forgotten <> tag
  AND (substr(forgotten, 1, length(tag) + 1) <> tag || '@' OR substr(forgotten, length(tag) + 2)
    NOT GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9]Z')
UNION ALL
SELECT 'commit_snapshot: none of the commits of ' || name || ' is the one that its source names'
FROM (
  SELECT s.name, s.source, s.kind, c.path, lower(hex(c.commit_id)) AS commit_id
  FROM commit_snapshot c
  JOIN snapshot s USING (snapshot_id)
  WHERE c.forgotten IS NULL
    AND s.source GLOB '*@' || replace(hex(zeroblob(20)), '0', '[0-9a-f]') || '*')
GROUP BY name, source
HAVING max(source LIKE '%@' || commit_id || CASE kind WHEN 'pages' THEN '' ELSE ':' || path END) = 0;
