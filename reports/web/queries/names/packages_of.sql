-- The packages of which a snapshot has builds.
SELECT k.name
FROM snapshot s
CROSS JOIN package k
WHERE s.name = :at AND EXISTS (
  SELECT 1 FROM presence p
  WHERE p.series_id = s.series_id AND p.package_id = k.package_id
    AND p.valid_from <= s.taken_at AND (p.valid_to IS NULL OR p.valid_to > s.taken_at))
ORDER BY k.name;
