-- title: Coverage by stack
-- How many packages, versions and specs each stack has. `root`, the union of all, is left out; specs that are
-- in the cache but in no stack come last, as '(no stack)'. Specs whose stacks the page does not give are left out.
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
WITH chosen AS MATERIALIZED (
  SELECT p.package_id, p.look_id, p.stack_set_id
  FROM snapshot s
  JOIN presence p
    ON p.series_id = s.series_id
   AND p.valid_from <= s.taken_at
   AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
  JOIN package k USING (package_id)
  WHERE s.name = :at
    AND k.name GLOB :package),
member AS (
  SELECT c.package_id, c.look_id, t.name AS stack, 0 AS is_last
  FROM chosen c
  JOIN stack_set_member m USING (stack_set_id)
  JOIN stack t USING (stack_id)
  WHERE NOT t.is_root
  UNION ALL
  SELECT c.package_id, c.look_id, '(no stack)', 1
  FROM chosen c
  JOIN stack_set g USING (stack_set_id)
  WHERE g.named_stacks = '')
SELECT
  m.stack,
  count(DISTINCT m.package_id)                        AS packages,
  count(DISTINCT m.package_id || '@' || l.version_id) AS versions,
  count(*)                                            AS specs
FROM member m
JOIN look l USING (look_id)
GROUP BY m.is_last, m.stack
ORDER BY m.is_last, m.stack;
