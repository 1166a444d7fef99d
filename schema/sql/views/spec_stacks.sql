-- One row for each stack of each spec in each snapshot. `root` is included if the page gives it.
CREATE VIEW spec_stacks AS
SELECT
  s.snapshot_id,
  s.name  AS snapshot,
  k.name  AS package,
  x.hash,
  t.name  AS stack  -- one of its stacks, or root
FROM snapshot s
JOIN presence p
  ON p.series_id = s.series_id
 AND +p.valid_from <= s.taken_at
 AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
JOIN package k ON k.package_id = p.package_id
JOIN spec x ON x.spec_id = p.spec_id AND x.look_id = p.look_id
JOIN look l ON l.look_id = p.look_id AND l.package_id = p.package_id
JOIN stack_set_member m ON m.stack_set_id = p.stack_set_id
JOIN stack t ON t.stack_id = m.stack_id;
