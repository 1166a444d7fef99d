-- The series that prune asks of, each with its newest snapshot at :moment or before: of pages or indexes only. :series is a
-- pattern, or NULL for the one with the id :series_id.
SELECT r.series_id, r.name, s.taken_at, s.name
FROM series r
CROSS JOIN snapshot s ON s.series_id = r.series_id
WHERE s.kind IN ('pages', 'index')
  AND s.taken_at = (SELECT max(o.taken_at) FROM snapshot o WHERE o.series_id = r.series_id AND o.taken_at <= :moment)
  AND CASE WHEN :series IS NULL THEN r.series_id = :series_id ELSE r.name GLOB :series END
ORDER BY r.name;
