-- A row of commit_snapshot has the tag of its snapshot. Only one that was handed over may have another dated tag of the same
-- series: that of a snapshot which a rule of `forget` removed. A commit does not have more rows than it touched tags.
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
HAVING count(*) > max(tags_touched);
