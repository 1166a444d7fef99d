-- One row, in ids, for each spec in each snapshot: for reports, which count ids first and then join words to the few
-- rows left. Ask for one snapshot (by snapshot_id or snapshot). Rows come in the order of package_id, and then of
-- presence's key, so that specs can be counted by package and look without sorting.
CREATE VIEW present_specs AS
SELECT
  s.snapshot_id,
  s.name   AS snapshot,
  k.name   AS package,
  k.package_id,
  p.look_id,
  p.spec_id,
  p.stack_set_id
FROM snapshot s
CROSS JOIN package k
CROSS JOIN presence p
  ON p.series_id = s.series_id
 AND p.package_id = k.package_id
 AND p.valid_from <= s.taken_at
 AND (p.valid_to IS NULL OR p.valid_to > s.taken_at);
