-- Stacks that only one of two snapshots has, with their specs that are asked: one row for each spec and stack. `change` is
-- 'gone' or 'new'. `stays` is 1 if the other snapshot has the spec as well, `in_none` is 1 if it has it in no stack. `root` is
-- left out, and so is a spec whose package the other series had not observed. Where a snapshot has specs of unknown stacks, no
-- stack is known to be gone or new. :from, :to, :package and :stack are as in the reports of drift/.
WITH side (change, series_id, moment, other_series, other_moment) AS MATERIALIZED (
  SELECT 'gone', a.series_id, a.taken_at, b.series_id, b.taken_at
  FROM snapshot a
  CROSS JOIN snapshot b
  WHERE a.name = :from AND b.name = :to
  UNION ALL
  SELECT 'new', b.series_id, b.taken_at, a.series_id, a.taken_at
  FROM snapshot a
  CROSS JOIN snapshot b
  WHERE a.name = :from AND b.name = :to),
present_set (change, stack_set_id) AS MATERIALIZED (
  SELECT DISTINCT s.change, p.stack_set_id
  FROM side s
  CROSS JOIN presence p
    ON p.series_id = s.series_id
   AND +p.valid_from <= s.moment  -- the + keeps SQLite from using an index: a full scan is faster here
   AND (p.valid_to IS NULL OR p.valid_to > s.moment)),
only_one (stack_id, change) AS MATERIALIZED (
  SELECT m.stack_id, min(c.change)
  FROM present_set c
  JOIN stack_set_member m ON m.stack_set_id = c.stack_set_id
  JOIN stack t ON t.stack_id = m.stack_id
  WHERE t.is_root = 0
    AND (:stack IS NULL OR t.name = :stack OR glob(:stack, t.name))
    AND NOT EXISTS (SELECT 1 FROM present_set n WHERE n.stack_set_id IS NULL)
  GROUP BY m.stack_id
  HAVING count(DISTINCT c.change) = 1),
of_set (change, stack_set_id, stack_id) AS MATERIALIZED (
  SELECT o.change, m.stack_set_id, o.stack_id
  FROM only_one o
  JOIN stack_set_member m ON m.stack_id = o.stack_id)
SELECT
  s.change,
  t.name AS stack,
  p.spec_id,
  CASE WHEN q.spec_id IS NULL THEN 0 ELSE 1 END          AS stays,
  CASE WHEN z.named_stacks = '' THEN 1 ELSE 0 END        AS in_none
FROM side s
CROSS JOIN presence p
  ON p.series_id = s.series_id
 AND +p.valid_from <= s.moment
 AND (p.valid_to IS NULL OR p.valid_to > s.moment)
CROSS JOIN of_set o
  ON o.change = s.change
 AND o.stack_set_id = p.stack_set_id
CROSS JOIN stack t ON t.stack_id = o.stack_id
CROSS JOIN asked_looks l ON l.look_id = p.look_id
CROSS JOIN package k ON k.package_id = p.package_id
LEFT JOIN presence q
  ON q.series_id = s.other_series
 AND q.package_id = p.package_id
 AND q.look_id = p.look_id
 AND q.spec_id = p.spec_id
 AND q.valid_from <= s.other_moment
 AND (q.valid_to IS NULL OR q.valid_to > s.other_moment)
LEFT JOIN stack_set z ON z.stack_set_id = q.stack_set_id
WHERE EXISTS (SELECT 1 FROM of_set)
  AND glob(:package, k.name)
  AND EXISTS (
    SELECT 1 FROM observations b
    WHERE b.series_id = s.other_series AND b.package_id = p.package_id AND b.taken_at <= s.other_moment)
ORDER BY s.change, t.name;
