-- Stacks that builds of the stack :stack came from, or went to, at the moment :moment of the series :series_id: how many builds only
-- changed the one name for the other. `came` is 1 for those that came from the stack `other`. `is_other_gone` is 1 if `other`
-- had no more builds, or none before: so it is another name of the stack.
WITH
moved AS MATERIALIZED (
  SELECT b.stack_set_id AS before_id, p.stack_set_id AS after_id, count(*) AS builds
  FROM presence p
  CROSS JOIN presence b
    ON b.series_id = p.series_id
   AND b.package_id = p.package_id
   AND b.look_id = p.look_id
   AND b.spec_id = p.spec_id
   AND b.valid_to = p.valid_from
  WHERE p.series_id = :series_id
    AND p.valid_from = :moment
    AND p.came = 0
  GROUP BY b.stack_set_id, p.stack_set_id),
joined AS (
  SELECT m.before_id, m.after_id, m.builds, t.stack
  FROM moved m
  CROSS JOIN stack_set_stacks t ON t.stack_set_id = m.after_id
  WHERE NOT EXISTS (SELECT 1 FROM stack_set_stacks o WHERE o.stack_set_id = m.before_id AND o.stack = t.stack)),
parted AS (
  SELECT m.before_id, m.after_id, m.builds, t.stack
  FROM moved m
  CROSS JOIN stack_set_stacks t ON t.stack_set_id = m.before_id
  WHERE NOT EXISTS (SELECT 1 FROM stack_set_stacks o WHERE o.stack_set_id = m.after_id AND o.stack = t.stack)),
named AS (
  SELECT 1 AS came, a.stack AS other, sum(a.builds) AS builds
  FROM joined j
  JOIN parted a USING (before_id, after_id)
  WHERE j.stack = :stack
  GROUP BY a.stack
  UNION ALL
  SELECT 0, j.stack, sum(j.builds)
  FROM parted a
  JOIN joined j USING (before_id, after_id)
  WHERE a.stack = :stack
  GROUP BY j.stack)
SELECT
  n.came,
  n.other,
  n.builds,
  CASE WHEN EXISTS (
    SELECT 1
    FROM presence p
    CROSS JOIN stack_set_stacks t ON t.stack_set_id = p.stack_set_id AND t.stack = n.other
    WHERE p.series_id = :series_id
      AND ((n.came = 1 AND p.valid_from <= :moment AND (p.valid_to IS NULL OR p.valid_to > :moment))
        OR (n.came = 0 AND p.valid_from < :moment AND (p.valid_to IS NULL OR p.valid_to >= :moment)))) THEN 0 ELSE 1 END
    AS is_other_gone
FROM named n
WHERE n.other NOT IN (SELECT name FROM stack WHERE is_root = 1)
ORDER BY n.builds DESC, n.other
