-- One row for each page that was loaded for a snapshot. (The state of a package that the snapshot did not observe comes
-- from the page of an earlier snapshot, and has no row.) `path` is below the snapshot's source. `digest` is the git blob
-- id, which git hash-object FILE prints; for a page of 2022 with spec files, it is the git tree id of a folder with
-- only these files and the page. A snapshot that was not made from pages has none.
CREATE VIEW pages AS
SELECT
  s.snapshot_id,
  s.name               AS snapshot,
  k.name               AS package,
  p.path,                          -- below the snapshot's source
  CAST(lower(hex(g.digest)) AS TEXT) AS digest,  -- the git blob id of the page
  g.num_specs                      -- how many specs it lists
FROM snapshot s
JOIN page_presence p
  ON p.series_id = s.series_id
 AND +p.valid_from <= s.taken_at
 AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
JOIN package k ON k.package_id = p.package_id
JOIN page g ON g.page_id = p.page_id
WHERE s.kind = 'pages'
  AND (s.observes_all = 1) <> EXISTS (
    SELECT 1 FROM observation_exception e
    WHERE e.snapshot_id = s.snapshot_id AND e.package_id = p.package_id);
