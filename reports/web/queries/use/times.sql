-- In each series: the first and the last snapshot that has a build for the target :target, or with the compiler :compiler (the other one
-- is NULL), and how many builds ever were. `is_there` is 1 where the newest snapshot of the series has one.
SELECT
  r.name AS series,
  (SELECT a.name FROM snapshot a WHERE a.series_id = r.series_id AND a.taken_at = o.first) AS first_seen,
  (SELECT z.name FROM snapshot z
   WHERE z.series_id = r.series_id AND (o.gone IS NULL OR z.taken_at < o.gone)
   ORDER BY z.taken_at DESC LIMIT 1) AS last_seen,
  o.gone IS NULL AS is_there,
  o.builds AS builds_ever
FROM (
  SELECT
    p.series_id,
    min(p.valid_from) AS first,
    CASE WHEN count(*) = count(p.valid_to) THEN max(p.valid_to) END AS gone,
    count(DISTINCT p.spec_id) AS builds
  FROM look l
  CROSS JOIN series e
  CROSS JOIN presence p ON p.series_id = e.series_id AND p.package_id = l.package_id AND p.look_id = l.look_id
  WHERE l.arch_id IN (SELECT arch_id FROM arch WHERE target = :target)
     OR l.compiler_id IN (SELECT compiler_id FROM compiler WHERE spec = :compiler)
  GROUP BY p.series_id) o
JOIN series r ON r.series_id = o.series_id
ORDER BY r.name;
