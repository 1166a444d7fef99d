-- The specs of the newest :count snapshots, at :moment or before, of each series of caches whose name matches; NULL: of the series
-- with the id :series_id.
WITH numbered AS (
  SELECT
    s.series_id, s.taken_at,
    row_number() OVER (PARTITION BY s.series_id ORDER BY s.taken_at DESC) AS number
  FROM snapshot s
  JOIN series r USING (series_id)
  WHERE s.kind IN ('pages', 'index')
    AND s.taken_at <= :moment
    AND CASE WHEN :series IS NULL THEN r.series_id = :series_id ELSE r.name GLOB :series END),
chosen AS MATERIALIZED (
  SELECT series_id, min(taken_at) AS first, max(taken_at) AS last FROM numbered WHERE number <= :count GROUP BY series_id)
SELECT DISTINCT p.spec_id
FROM chosen c
CROSS JOIN presence p
  ON p.series_id = c.series_id
 AND +p.valid_from <= c.last
 AND (p.valid_to IS NULL OR p.valid_to > c.first);
