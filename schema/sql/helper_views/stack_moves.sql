-- One row, in ids, for each spec that both of two snapshots have, in different stack sets (before_id, after_id). A spec of
-- which one set is not known has no row. Sets may differ in `root` only. For reports. Ask for one pair: WHERE from_snapshot =
-- ... AND to_snapshot = ... In one series only specs with an interval that ends between the two moments can differ: they are
-- few, so `e` is read from an index alone. Two series are compared in full; of one series, that part reads no row of `p`.
CREATE VIEW stack_moves AS
SELECT
  a.name AS from_snapshot,
  b.name AS to_snapshot,
  e.package_id,
  e.look_id,
  e.spec_id,
  CASE WHEN a.taken_at < b.taken_at THEN p.stack_set_id ELSE q.stack_set_id END AS before_id,
  CASE WHEN a.taken_at < b.taken_at THEN q.stack_set_id ELSE p.stack_set_id END AS after_id
FROM snapshot a
CROSS JOIN snapshot b
CROSS JOIN presence e
CROSS JOIN presence q
CROSS JOIN presence p
WHERE e.series_id = a.series_id
  AND e.valid_to > min(a.taken_at, b.taken_at)
  AND e.valid_to <= max(a.taken_at, b.taken_at)
  AND e.valid_from <= min(a.taken_at, b.taken_at)
  AND q.series_id = e.series_id
  AND q.package_id = e.package_id
  AND q.look_id = e.look_id
  AND q.spec_id = e.spec_id
  AND q.valid_from <= max(a.taken_at, b.taken_at)
  AND (q.valid_to IS NULL OR q.valid_to > max(a.taken_at, b.taken_at))
  AND p.series_id = e.series_id
  AND p.package_id = e.package_id
  AND p.look_id = e.look_id
  AND p.spec_id = e.spec_id
  AND p.valid_from = e.valid_from
  AND a.series_id = b.series_id
  AND p.stack_set_id <> q.stack_set_id
UNION ALL
SELECT
  a.name, b.name, p.package_id, p.look_id, p.spec_id, p.stack_set_id, q.stack_set_id
FROM snapshot a
CROSS JOIN snapshot b
CROSS JOIN presence p
CROSS JOIN presence q
WHERE p.series_id = CASE WHEN a.series_id <> b.series_id THEN a.series_id END
  AND +p.valid_from <= a.taken_at
  AND (p.valid_to IS NULL OR p.valid_to > a.taken_at)
  AND q.series_id = b.series_id
  AND q.package_id = p.package_id
  AND q.look_id = p.look_id
  AND q.spec_id = p.spec_id
  AND q.valid_from <= b.taken_at
  AND (q.valid_to IS NULL OR q.valid_to > b.taken_at)
  AND a.series_id <> b.series_id
  AND p.stack_set_id <> q.stack_set_id;
