-- title: Drift by stack
-- How many builds of each stack were added and removed, and how many of these each cause explains (drift/summary tells the
-- causes apart). The causes add up to `added` and `removed` together, so a rebuilt build counts as removed and as added.
-- `gained_or_lost` counts the builds of packages that only one snapshot has. `joined_stack` and `left_stack` count builds that
-- both snapshots have, and of which only one has them in the stack. A build counts in each of its stacks; `root` is left out;
-- '(unknown)' has the builds whose page does not give stacks. The cause is that of the whole cache. With --stack NAME it is the
-- cause within that stack, where builds that joined or left it are added or removed. The stacks with the most changes come
-- first.
-- param: from snapshot = {to}~1   the snapshot before
-- param: to snapshot = latest     the snapshot after
-- param: package glob = *         only packages that match
-- param: stack glob = null        compare only builds in matching stacks
-- chart: bars: stack gained_or_lost version target compiler variants rebuilt copies
-- caption: Builds added and removed in each stack, by cause
-- unit: builds gained_or_lost version target compiler variants rebuilt copies
-- filters: looks
-- Outside of the program, :stack must be NULL or a name: the view stack_drift does not take patterns.
-- command: diff
WITH drifted AS MATERIALIZED (
  SELECT d.stack_set_id, d.change, d.cause, count(*) AS specs
  FROM stack_drift d
  CROSS JOIN asked_looks USING (look_id)
  WHERE d.from_snapshot = :from
    AND d.to_snapshot = :to
    AND d.stack IS NOT DISTINCT FROM :stack
    AND d.package_id IN (SELECT package_id FROM package WHERE glob(:package, name))
  GROUP BY d.stack_set_id, d.change, d.cause),
moved AS MATERIALIZED (
  SELECT m.before_id, m.after_id, count(*) AS specs
  FROM stack_moves m
  CROSS JOIN asked_looks USING (look_id)
  WHERE m.from_snapshot = :from
    AND m.to_snapshot = :to
    AND m.package_id IN (SELECT package_id FROM package WHERE glob(:package, name))
    AND (:stack IS NULL
      OR (m.before_id IN (SELECT stack_set_id FROM stack_set_stacks WHERE stack = :stack OR glob(:stack, stack))
          AND m.after_id IN (SELECT stack_set_id FROM stack_set_stacks WHERE stack = :stack OR glob(:stack, stack))))
  GROUP BY m.before_id, m.after_id),
told (stack, change, cause, specs) AS (
  SELECT coalesce(s.stack, '(unknown)'), d.change, d.cause, d.specs
  FROM drifted d
  LEFT JOIN stack_set_stacks s ON s.stack_set_id = d.stack_set_id
  UNION ALL
  SELECT s.stack, 'joined', NULL, m.specs
  FROM moved m
  CROSS JOIN stack_set_stacks s ON s.stack_set_id = m.after_id
  WHERE s.stack NOT IN (SELECT o.stack FROM stack_set_stacks o WHERE o.stack_set_id = m.before_id)
  UNION ALL
  SELECT s.stack, 'left', NULL, m.specs
  FROM moved m
  CROSS JOIN stack_set_stacks s ON s.stack_set_id = m.before_id
  WHERE s.stack NOT IN (SELECT o.stack FROM stack_set_stacks o WHERE o.stack_set_id = m.after_id))
SELECT
  stack,
  coalesce(sum(specs) FILTER (WHERE change = 'added'), 0)    AS added,
  coalesce(sum(specs) FILTER (WHERE change = 'removed'), 0)  AS removed,
  coalesce(sum(specs) FILTER (WHERE cause = 'package'), 0)   AS gained_or_lost,
  coalesce(sum(specs) FILTER (WHERE cause = 'version'), 0)   AS version,
  coalesce(sum(specs) FILTER (WHERE cause = 'target'), 0)    AS target,
  coalesce(sum(specs) FILTER (WHERE cause = 'compiler'), 0)  AS compiler,
  coalesce(sum(specs) FILTER (WHERE cause = 'variants'), 0)  AS variants,
  coalesce(sum(specs) FILTER (WHERE cause = 'rebuilt'), 0)   AS rebuilt,
  coalesce(sum(specs) FILTER (WHERE cause = 'copies'), 0)    AS copies,
  coalesce(sum(specs) FILTER (WHERE change = 'joined'), 0)   AS joined_stack,
  coalesce(sum(specs) FILTER (WHERE change = 'left'), 0)     AS left_stack
FROM told
WHERE stack NOT IN (SELECT name FROM stack WHERE is_root = 1)
  AND (:stack IS NULL OR stack = :stack OR glob(:stack, stack))
GROUP BY stack
ORDER BY sum(specs) DESC, stack;
