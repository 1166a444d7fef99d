-- The builds of the snapshot :at, in the columns of the view specs; the newest version of a package first. :package and
-- :stack are patterns; :stack may be NULL. :specs is NULL or a JSON array of spec_ids: only these. :most is a number of
-- rows, -1 for all.
SELECT
  p.snapshot,
  p.package,
  l.version,
  l.compiler,
  l.platform,
  l.os,
  l.target,
  l.variants,
  x.hash,
  g.stacks,
  x.size,
  o.namespace,
  o.package_hash,
  o.external,
  o.external_path,
  n.build_hash,
  n.spec_id IS NOT NULL AS knows_dependencies,
  o.flags,
  g.named_stacks,
  x.spec_id
FROM present_specs p
CROSS JOIN looks l USING (look_id)
CROSS JOIN spec x USING (spec_id)
LEFT JOIN stack_set g USING (stack_set_id)
LEFT JOIN node n ON n.spec_id = p.spec_id
LEFT JOIN recipe o USING (recipe_id)
WHERE p.snapshot = :at
  AND p.package GLOB :package
  AND (:specs IS NULL OR p.spec_id IN (SELECT value FROM json_each(:specs)))
  AND (:stack IS NULL OR p.stack_set_id IN (
    SELECT stack_set_id FROM stack_set_stacks WHERE stack = :stack OR stack GLOB :stack))
ORDER BY
  p.package, l.version_key DESC, l.platform, l.os, l.target, l.compiler_key, l.variants, x.hash
LIMIT :most
