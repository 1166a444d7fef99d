-- One row, in ids, for each spec in each snapshot. For reports: they count ids first, and then join words to the few
-- remaining rows. Ask for one snapshot (by snapshot_id or snapshot). The rows are ordered by package_id and then by the
-- key of presence, so a query can count specs by package and look without sorting.
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
WHERE p.series_id = s.series_id
  AND p.package_id = k.package_id
  AND p.valid_from <= s.taken_at
  AND (p.valid_to IS NULL OR p.valid_to > s.taken_at);
