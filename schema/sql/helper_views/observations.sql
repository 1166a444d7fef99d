-- One row, in ids, for each package that a snapshot observed; other snapshots say nothing about the package. For
-- reports. A whole snapshot observes all packages (a package without a page is observed to be absent) except those
-- whose page could not be read. A partial snapshot observes the packages that have a page. Ask for one series and
-- package.
CREATE VIEW observations AS
SELECT
  s.snapshot_id,
  s.series_id,
  s.taken_at,
  k.package_id
FROM snapshot s
CROSS JOIN package k
WHERE (s.observes_all = 1) <> EXISTS (
  SELECT 1 FROM observation_exception e
  WHERE e.snapshot_id = s.snapshot_id AND e.package_id = k.package_id);
