-- What came to the builds of temp.history_presence (reports/questions/history/scope.sql) for the first time, or back, and what went
-- with the last of them, at each moment: packages, compilers, targets, and the wishes of the stack :stack that its builds met or no
-- longer meet while the list had them. `kind` is 'package', 'compiler', 'target' or 'wish'.
WITH
edge AS MATERIALIZED (
  SELECT valid_from AS moment, look_id, spec_id, 1 AS more FROM temp.history_presence
  UNION ALL
  SELECT valid_to, look_id, spec_id, -1 FROM temp.history_presence WHERE valid_to IS NOT NULL),
of_look AS MATERIALIZED (
  SELECT moment, look_id, sum(more) AS more FROM edge GROUP BY moment, look_id),
of_value AS MATERIALIZED (
  SELECT 'package' AS kind, k.name AS value, e.moment, NULL AS wish_id, sum(e.more) AS more
  FROM of_look e
  CROSS JOIN look l USING (look_id)
  CROSS JOIN package k USING (package_id)
  GROUP BY k.name, e.moment
  UNION ALL
  SELECT 'compiler', c.spec, e.moment, NULL, sum(e.more)
  FROM of_look e
  CROSS JOIN look l USING (look_id)
  CROSS JOIN compiler c USING (compiler_id)
  GROUP BY c.spec, e.moment
  UNION ALL
  SELECT 'target', a.target, e.moment, NULL, sum(e.more)
  FROM of_look e
  CROSS JOIN look l USING (look_id)
  CROSS JOIN arch a USING (arch_id)
  GROUP BY a.target, e.moment
  UNION ALL
  SELECT 'wish', w.spec, e.moment, w.wish_id, sum(e.more)
  FROM edge e
  CROSS JOIN wish_spec s ON s.spec_id = e.spec_id
  CROSS JOIN wish w ON w.wish_id = s.wish_id
  WHERE w.wish_id IN (
    SELECT p.wish_id FROM wish_list t JOIN wish_presence p USING (wish_list_id) WHERE t.stack = :stack)
  GROUP BY w.spec, w.wish_id, e.moment),
counted AS (
  SELECT
    kind, value, wish_id, moment, more,
    sum(more) OVER (PARTITION BY kind, value, wish_id ORDER BY moment) AS there
  FROM of_value)
SELECT
  c.moment,
  c.kind,
  c.value,
  CASE WHEN c.there = 0 THEN 0 ELSE 1 END AS came
FROM counted c
WHERE c.more <> 0
  AND (c.there = 0 OR c.there = c.more)
  AND (c.kind <> 'wish' OR EXISTS (
    SELECT 1
    FROM wish_list t
    JOIN wish_presence p USING (wish_list_id)
    WHERE t.stack = :stack
      AND p.wish_id = c.wish_id
      AND p.valid_from <= c.moment
      AND (p.valid_to IS NULL OR p.valid_to > c.moment)))
ORDER BY c.moment, c.kind, c.value
