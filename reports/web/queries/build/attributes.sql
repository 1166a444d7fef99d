-- All that the ledger knows of a build. `is_here` is 1 where the snapshot :at has it; `stacks` is of that snapshot, without `root`.
-- `build_hashes` are those by which old lock files call it.
SELECT
  x.hash, l.package, l.version, l.compiler, l.platform, l.os, l.target, l.variants,
  x.size,
  r.namespace, r.package_hash, r.flags, r.patches, r.external, r.external_path, r.external_modules,
  n.build_hash,
  n.spec_id IS NOT NULL AS knows_dependencies,
  (SELECT group_concat(build_hash) FROM spec_build_hash b WHERE b.spec_id = x.spec_id) AS build_hashes,
  p.spec_id IS NOT NULL AS is_here,
  g.named_stacks AS stacks
FROM spec x
CROSS JOIN look w ON w.look_id = x.look_id
CROSS JOIN looks l ON l.look_id = x.look_id
LEFT JOIN node n ON n.spec_id = x.spec_id
LEFT JOIN recipe r ON r.recipe_id = n.recipe_id
LEFT JOIN snapshot s ON s.name = :at
LEFT JOIN presence p
  ON p.series_id = s.series_id AND p.package_id = w.package_id AND p.look_id = x.look_id AND p.spec_id = x.spec_id
 AND p.valid_from <= s.taken_at AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
LEFT JOIN stack_set g ON g.stack_set_id = p.stack_set_id
WHERE x.spec_id = :spec_id;
