-- One row for each package that a snapshot observed, in ids: for reports, to which no other snapshot says anything of
-- the package. A whole snapshot observes all packages (one without a page is observed not to be there) but those whose
-- page could not be read; a partial one observes those that it was given. Ask for one series and package.
CREATE VIEW observations AS
SELECT
  s.snapshot_id,
  s.series_id,
  s.taken_at,
  k.package_id
FROM snapshot s
CROSS JOIN package k
WHERE s.observes_all <> EXISTS (
  SELECT 1 FROM observation_exception e
  WHERE e.snapshot_id = s.snapshot_id AND e.package_id = k.package_id);
