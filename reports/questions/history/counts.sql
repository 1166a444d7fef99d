-- How many builds of temp.history_presence (reports/questions/history/scope.sql) came and went at each moment of the series
-- :series_id, by package. `unknown` counts those that came of which it is not known whether they are new: no snapshot before
-- observed their package, or with :stack, the stacks before are not known.
WITH
edge AS MATERIALIZED (
  SELECT
    p.package_id, p.valid_from AS moment, 1 AS came, 0 AS went,
    CASE WHEN :stack IS NOT NULL AND EXISTS (
      SELECT 1
      FROM main.presence b
      WHERE b.series_id = p.series_id AND b.package_id = p.package_id AND b.look_id = p.look_id AND b.spec_id = p.spec_id
        AND b.valid_to = p.valid_from AND b.stack_set_id IS NULL) THEN 1 ELSE 0 END AS unknown
  FROM temp.history_presence p
  WHERE p.came = 1
  UNION ALL
  SELECT package_id, valid_to, 0, 1, 0
  FROM temp.history_presence
  WHERE went = 1),
event AS MATERIALIZED (
  SELECT moment, package_id, sum(came) AS came, sum(went) AS went, sum(unknown) AS unknown
  FROM edge
  GROUP BY moment, package_id)
SELECT
  e.moment,
  k.name AS package,
  e.came,
  e.went,
  CASE WHEN e.came > 0 AND NOT EXISTS (
    SELECT 1
    FROM observations o
    WHERE o.series_id = :series_id AND o.package_id = e.package_id AND o.taken_at < e.moment)
    THEN e.came ELSE e.unknown END AS unknown
FROM event e
CROSS JOIN package k USING (package_id)
ORDER BY e.moment, k.name
