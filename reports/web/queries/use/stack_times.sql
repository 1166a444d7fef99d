-- In each series and stack: the first and the last snapshot in which the stack has a build for the target :target, or with the compiler
-- :compiler (the other one is NULL). `is_there` is 1 where the newest snapshot of the series has one.
SELECT
  r.name AS series,
  o.stack,
  (SELECT a.name FROM snapshot a WHERE a.series_id = o.series_id AND a.taken_at = o.first) AS first_seen,
  (SELECT z.name FROM snapshot z
   WHERE z.series_id = o.series_id AND (o.gone IS NULL OR z.taken_at < o.gone)
   ORDER BY z.taken_at DESC LIMIT 1) AS last_seen,
  o.gone IS NULL AS is_there
FROM (
  SELECT e.series_id, t.name AS stack, min(e.first) AS first, CASE WHEN count(*) = count(e.gone) THEN max(e.gone) END AS gone
  FROM (
    SELECT p.series_id, p.stack_set_id, min(p.valid_from) AS first,
      CASE WHEN count(*) = count(p.valid_to) THEN max(p.valid_to) END AS gone
    FROM look l
    CROSS JOIN series i
    CROSS JOIN presence p ON p.series_id = i.series_id AND p.package_id = l.package_id AND p.look_id = l.look_id
    WHERE l.arch_id IN (SELECT arch_id FROM arch WHERE target = :target)
       OR l.compiler_id IN (SELECT compiler_id FROM compiler WHERE spec = :compiler)
    GROUP BY p.series_id, p.stack_set_id) e
  JOIN stack_set_member m ON m.stack_set_id = e.stack_set_id
  JOIN stack t ON t.stack_id = m.stack_id
  WHERE NOT t.is_root
  GROUP BY e.series_id, t.name) o
JOIN series r ON r.series_id = o.series_id
ORDER BY r.name, o.stack;
