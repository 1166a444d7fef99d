-- The series with snapshots that have builds of a package, the one with the newest snapshot first.
SELECT r.name, r.series_id = (SELECT series_id FROM snapshot WHERE name = :at) AS is_own
FROM series r
WHERE EXISTS (
  SELECT 1 FROM package k JOIN presence p ON p.series_id = r.series_id AND p.package_id = k.package_id WHERE k.name = :package)
ORDER BY (SELECT max(s.taken_at) FROM snapshot s WHERE s.series_id = r.series_id) DESC, r.name;
