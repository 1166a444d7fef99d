-- Roots are of lock files. Their intervals begin and end at snapshots of their series, do not overlap, and those that say the
-- same are one. The numbers of roots of one text run from 0 on. A root is there as long as it is a root.
WITH root_pair AS (
  SELECT p.series_id, p.environment, p.root, p.number, p.spec_id, p.root_group, p.valid_from, p.valid_to,
    lead(p.valid_from) OVER root_in_time AS next_from,
    lead(p.spec_id) OVER root_in_time    AS next_spec_id,
    lead(p.root_group) OVER root_in_time AS next_group
  FROM root_presence p
  WINDOW root_in_time AS (PARTITION BY p.series_id, p.environment, p.root, p.number ORDER BY p.valid_from))
SELECT 'root_presence: ' || p.root || ' in ' || r.name || CASE
    WHEN p.next_from < ifnull(p.valid_to, 9223372036854775807) THEN ' has two intervals that overlap'
    ELSE ' has two intervals that could be one' END AS problem
FROM root_pair p
JOIN series r USING (series_id)
WHERE p.next_from < ifnull(p.valid_to, 9223372036854775807)
   OR (p.next_from = p.valid_to AND p.next_spec_id = p.spec_id AND p.next_group IS p.root_group)
UNION ALL
SELECT 'root_presence: ' || p.root || ' in ' || r.name || ' begins or ends at '
    || ifnull(strftime('%Y-%m-%dT%H:%M:%SZ', p.moment, 'unixepoch'), p.moment) || ', where there is no lock file'
FROM (
  SELECT series_id, root, valid_from AS moment FROM root_presence
  UNION
  SELECT series_id, root, valid_to FROM root_presence WHERE valid_to IS NOT NULL) p
JOIN series r USING (series_id)
WHERE NOT EXISTS (
  SELECT 1 FROM snapshot s
  WHERE s.series_id = p.series_id AND s.taken_at = p.moment AND s.kind = 'lock' AND s.observes_all = 1)
UNION ALL
SELECT 'root_presence: ' || p.root || ' in ' || r.name || ' has the number ' || p.number || ', and none before it'
FROM root_presence p
JOIN series r USING (series_id)
WHERE p.number <> 0
  AND NOT EXISTS (
    SELECT 1 FROM root_presence o
    WHERE o.series_id = p.series_id AND o.environment = p.environment AND o.root = p.root AND o.number = p.number - 1
      AND o.valid_from <= p.valid_from AND (o.valid_to IS NULL OR o.valid_to > p.valid_from))
UNION ALL
SELECT 'root_presence: ' || p.root || ' in ' || r.name || ' is ' || ifnull(x.hash, 'spec ' || p.spec_id)
    || ', which is not there'
FROM root_presence p
JOIN series r USING (series_id)
LEFT JOIN spec x USING (spec_id)
LEFT JOIN look l ON l.look_id = x.look_id
WHERE NOT EXISTS (
  SELECT 1 FROM presence q
  WHERE q.series_id = p.series_id AND q.package_id = l.package_id AND q.look_id = x.look_id AND q.spec_id = p.spec_id
    AND q.valid_from <= p.valid_from AND (q.valid_to IS NULL OR q.valid_to >= ifnull(p.valid_to, 9223372036854775807)));
