-- The series with snapshots that have builds of a package.
SELECT r.name
FROM series r
WHERE EXISTS (
  SELECT 1 FROM package k JOIN presence p ON p.series_id = r.series_id AND p.package_id = k.package_id WHERE k.name = :package)
ORDER BY r.name;
