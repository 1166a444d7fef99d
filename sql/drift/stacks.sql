-- title: Builds that joined or left stacks
-- Builds that both snapshots have, in different stacks. `root` is left out. With --stack, a build that joins or leaves
-- the chosen stacks counts as added or removed, so only moves between these stacks are listed.
-- param: from snapshot = {to}~1   the snapshot before
-- param: to snapshot = latest     the snapshot after
-- param: package glob = *         only packages that match
-- param: stack glob = null        compare only builds in matching stacks
-- filters: looks
-- command: diff
WITH within AS MATERIALIZED (
  SELECT m.look_id, m.spec_id, m.before_id, m.after_id
  FROM stack_moves m
  WHERE m.from_snapshot = :from
    AND m.to_snapshot = :to
    AND (:stack IS NULL
      OR (m.before_id IN (SELECT stack_set_id FROM stack_set_stacks WHERE stack = :stack OR glob(:stack, stack))
          AND m.after_id IN (SELECT stack_set_id FROM stack_set_stacks WHERE stack = :stack OR glob(:stack, stack))))),
change AS MATERIALIZED (
  SELECT 'stack-joined' AS kind, m.look_id, m.spec_id, n.stack_id
  FROM within m
  CROSS JOIN stack_set_member n ON n.stack_set_id = m.after_id
  WHERE NOT EXISTS (
    SELECT 1 FROM stack_set_member o WHERE o.stack_set_id = m.before_id AND o.stack_id = n.stack_id)
  UNION ALL
  SELECT 'stack-left', m.look_id, m.spec_id, n.stack_id
  FROM within m
  CROSS JOIN stack_set_member n ON n.stack_set_id = m.before_id
  WHERE NOT EXISTS (
    SELECT 1 FROM stack_set_member o WHERE o.stack_set_id = m.after_id AND o.stack_id = n.stack_id))
SELECT
  c.kind,
  l.package,
  l.version,
  x.hash,
  t.name AS stack
FROM change c
CROSS JOIN stack t USING (stack_id)
CROSS JOIN spec x USING (spec_id)
CROSS JOIN asked_looks a ON a.look_id = c.look_id
CROSS JOIN looks l ON l.look_id = c.look_id
WHERE t.is_root = 0
  AND glob(:package, l.package)
  AND (:stack IS NULL OR t.name = :stack OR glob(:stack, t.name))
ORDER BY c.kind, l.package, l.version_key NULLS FIRST, x.hash, t.name;
