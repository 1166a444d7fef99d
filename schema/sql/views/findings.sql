-- One row for each finding in each snapshot that it concerns. A finding about the text of a page concerns every snapshot
-- for which the page was loaded. A finding about the loading concerns one snapshot. One about a wish list of a package
-- repository concerns none, and has neither snapshot nor package; its detail says when the list was so.
CREATE VIEW findings AS
SELECT
  s.snapshot_id,
  s.name  AS snapshot,
  k.name  AS package,
  p.path,   -- the file that it is about
  f.kind,   -- its kind: meta-mismatch, page-unreadable
  f.detail  -- what was noticed, in words
FROM finding f
JOIN page_presence p ON p.page_id = f.page_id
JOIN snapshot s
  ON s.series_id = p.series_id
 AND s.taken_at >= p.valid_from
 AND (p.valid_to IS NULL OR s.taken_at < p.valid_to)
JOIN package k ON k.package_id = p.package_id
WHERE f.page_id IS NOT NULL
  AND (s.observes_all = 1) <> EXISTS (
    SELECT 1 FROM observation_exception e
    WHERE e.snapshot_id = s.snapshot_id AND e.package_id = p.package_id)
UNION ALL
SELECT
  s.snapshot_id,
  s.name,
  k.name,
  f.path,
  f.kind,
  f.detail
FROM finding f
JOIN snapshot s ON s.snapshot_id = f.snapshot_id
LEFT JOIN package k ON k.package_id = f.package_id
UNION ALL
SELECT
  NULL,
  NULL,
  NULL,
  path,
  'wish-list',
  'line ' || line || ': ' || detail || ' (from ' || substr(strftime('%Y-%m-%dT%H:%M:%SZ', valid_from, 'unixepoch'), 1, 10)
    || CASE WHEN valid_to IS NULL THEN ' on'
            ELSE ' to ' || substr(strftime('%Y-%m-%dT%H:%M:%SZ', valid_to, 'unixepoch'), 1, 10) END || ')'
FROM wish_finding;
