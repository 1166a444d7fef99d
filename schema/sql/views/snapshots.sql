-- One row for each snapshot: the state of one tag at one moment.
CREATE VIEW snapshots AS
SELECT
  s.snapshot_id,                                                        -- the id of the snapshot, in this ledger only
  s.name,                                                               -- what users type: develop@2025-03-30T06:00:00Z
  s.tag,                                                                -- as the pages say: develop, develop-2025-03-30
  r.name                                                 AS series,     -- the time line: a tag, or its dated tags (develop-*)
  CAST(strftime('%Y-%m-%dT%H:%M:%SZ', s.taken_at, 'unixepoch') AS TEXT) AS taken_at,  -- the moment, in UTC: 2025-03-30T06:00:00Z
  s.source,                                                             -- where it was read
  s.packages,                                                           -- how many packages have a spec
  s.specs,                                                              -- how many specs there are
  CAST(CASE s.observes_all WHEN 1 THEN 'whole' ELSE 'partial' END AS TEXT) AS extent,  -- 'whole', or 'partial': of some packages only
  s.kind,                                                               -- 'pages', 'index', 'lock' or 'install'
  CAST(strftime('%Y-%m-%dT%H:%M:%SZ', r.checked_at, 'unixepoch') AS TEXT) AS checked_at  -- when ingest last checked its series, in UTC
FROM snapshot s
JOIN series r USING (series_id);
