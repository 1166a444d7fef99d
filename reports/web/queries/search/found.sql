-- Some specs of a snapshot, the newest version of a package first. :specs is a JSON array of spec_ids, :most a number of rows. `root`,
-- the union of all stacks, is left out.
SELECT
  x.hash, w.package, w.version, w.compiler, w.os, w.target, w.variants, g.named_stacks AS stacks
FROM snapshot s
CROSS JOIN json_each(:specs) j
CROSS JOIN spec x ON x.spec_id = j.value
CROSS JOIN look l ON l.look_id = x.look_id
CROSS JOIN looks w ON w.look_id = x.look_id
CROSS JOIN presence p
  ON p.series_id = s.series_id
 AND p.package_id = l.package_id
 AND p.look_id = x.look_id
 AND p.spec_id = x.spec_id
 AND p.valid_from <= s.taken_at
 AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
LEFT JOIN stack_set g ON g.stack_set_id = p.stack_set_id
WHERE s.name = :at
ORDER BY w.package, w.version_key DESC, w.platform, w.os, w.target, w.compiler_key, w.variants, x.hash
LIMIT :most;
