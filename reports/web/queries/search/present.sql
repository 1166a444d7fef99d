-- The specs of some looks in a snapshot. :looks is a JSON array of look_ids.
SELECT p.spec_id, p.look_id
FROM snapshot s
CROSS JOIN json_each(:looks) j
CROSS JOIN look l ON l.look_id = j.value
CROSS JOIN presence p
  ON p.series_id = s.series_id
 AND p.package_id = l.package_id
 AND p.look_id = l.look_id
 AND p.valid_from <= s.taken_at
 AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
WHERE s.name = :at;
