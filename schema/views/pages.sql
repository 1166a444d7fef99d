-- One row for each page that a snapshot was given and could read. (Where a snapshot did not observe a package, its
-- state comes from an earlier snapshot's page.) `path` is below the snapshot's source; `digest` is the git blob id (git hash-object FILE),
-- or for a page of 2022 with spec files, the git tree id of a folder with just these and the page.
CREATE VIEW pages AS
SELECT
  s.snapshot_id,
  s.name               AS snapshot,
  k.name               AS package,
  p.path,
  lower(hex(g.digest)) AS digest,
  g.num_specs
FROM snapshot s
JOIN page_presence p
  ON p.series_id = s.series_id
 AND +p.valid_from <= s.taken_at
 AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
JOIN package k ON k.package_id = p.package_id
JOIN page g ON g.page_id = p.page_id
WHERE s.observes_all <> EXISTS (
  SELECT 1 FROM observation_exception e
  WHERE e.snapshot_id = s.snapshot_id AND e.package_id = p.package_id);
