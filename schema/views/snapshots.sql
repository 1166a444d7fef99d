-- One row for each snapshot: the state of one tag at one moment.
CREATE VIEW snapshots AS
SELECT
  s.snapshot_id,
  s.name,
  s.tag,
  r.name                                                 AS series,
  strftime('%Y-%m-%dT%H:%M:%SZ', s.taken_at, 'unixepoch') AS taken_at,
  s.source,
  s.packages,
  s.specs,
  CASE s.observes_all WHEN 1 THEN 'whole' ELSE 'partial' END AS extent,
  s.kind
FROM snapshot s
JOIN series r USING (series_id);
