-- title: Specs that joined or left stacks
-- Specs that both snapshots have, in different stacks. `root` is left out. With --stack, a spec that joins or leaves
-- the chosen stacks counts as added or removed, so only moves between these stacks are listed.
-- param: from snapshot = {to}~1   the snapshot before
-- param: to snapshot = latest     the snapshot after
-- param: package glob = *         only packages that match
-- param: stack glob = null        compare only specs in matching stacks
-- filters: looks
WITH pair AS MATERIALIZED (
  SELECT
    a.series_id AS from_series, a.taken_at AS from_moment,
    b.series_id AS to_series,   b.taken_at AS to_moment
  FROM snapshot a
  JOIN snapshot b ON a.name = :from AND b.name = :to),
-- Specs of both snapshots, with the stacks in each. In one series only specs with an interval that ends between the two
-- moments can differ. They are few, so `e` is read from an index alone. Two series are compared in full.
moved (look_id, spec_id, before_id, after_id) AS MATERIALIZED (
  SELECT
    e.look_id, e.spec_id,
    CASE WHEN c.from_moment < c.to_moment THEN p.stack_set_id ELSE q.stack_set_id END,
    CASE WHEN c.from_moment < c.to_moment THEN q.stack_set_id ELSE p.stack_set_id END
  FROM pair c
  CROSS JOIN presence e
    ON e.series_id = c.from_series
   AND e.valid_to > min(c.from_moment, c.to_moment)
   AND e.valid_to <= max(c.from_moment, c.to_moment)
   AND e.valid_from <= min(c.from_moment, c.to_moment)
  CROSS JOIN presence q
    ON q.series_id = e.series_id
   AND q.package_id = e.package_id
   AND q.look_id = e.look_id
   AND q.spec_id = e.spec_id
   AND q.valid_from <= max(c.from_moment, c.to_moment)
   AND (q.valid_to IS NULL OR q.valid_to > max(c.from_moment, c.to_moment))
  CROSS JOIN presence p
    ON p.series_id = e.series_id
   AND p.package_id = e.package_id
   AND p.look_id = e.look_id
   AND p.spec_id = e.spec_id
   AND p.valid_from = e.valid_from
  WHERE c.from_series = c.to_series
    AND p.stack_set_id <> q.stack_set_id
  UNION ALL
  SELECT p.look_id, p.spec_id, p.stack_set_id, q.stack_set_id
  FROM pair c
  CROSS JOIN presence p
    ON p.series_id = c.from_series
   AND +p.valid_from <= c.from_moment
   AND (p.valid_to IS NULL OR p.valid_to > c.from_moment)
  CROSS JOIN presence q
    ON q.series_id = c.to_series
   AND q.package_id = p.package_id
   AND q.look_id = p.look_id
   AND q.spec_id = p.spec_id
   AND q.valid_from <= c.to_moment
   AND (q.valid_to IS NULL OR q.valid_to > c.to_moment)
  WHERE c.from_series <> c.to_series
    AND p.stack_set_id <> q.stack_set_id),
within AS (
  SELECT m.*
  FROM moved m
  WHERE :stack IS NULL
     OR (m.before_id IN (SELECT stack_set_id FROM stack_set_stacks WHERE stack = :stack OR stack GLOB :stack)
         AND m.after_id IN (SELECT stack_set_id FROM stack_set_stacks WHERE stack = :stack OR stack GLOB :stack))),
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
WHERE NOT t.is_root
  AND l.package GLOB :package
  AND (:stack IS NULL OR t.name = :stack OR t.name GLOB :stack)
ORDER BY c.kind, l.package, l.version_key, x.hash, t.name;
