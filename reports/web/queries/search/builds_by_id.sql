-- All that the ledger says of some specs in words. :specs is a JSON array of spec_ids. What only the node of a spec says is NULL where
-- there is none, and so is compiler_from.
SELECT
  x.spec_id, x.look_id, l.package, l.version, l.platform, l.os, l.target, l.compiler, l.variants, x.hash,
  r.namespace, r.package_hash, r.flags, r.patches,
  CASE r.external WHEN 0 THEN 'no' WHEN 1 THEN coalesce(r.external_path, r.external_modules, 'yes') END AS external,
  CASE WHEN n.spec_id IS NOT NULL THEN ifnull(n.build_hash, 'no') END AS spliced,
  n.compiler_from
FROM json_each(:specs) j
CROSS JOIN spec x ON x.spec_id = j.value
CROSS JOIN looks l USING (look_id)
LEFT JOIN node n ON n.spec_id = x.spec_id
LEFT JOIN recipe r ON r.recipe_id = n.recipe_id;
