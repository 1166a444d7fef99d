-- What `why` compares of the specs from :first to :last. Without a row of node nothing is known but the look.
SELECT
  x.spec_id, l.package_id, l.version_id, l.arch_id, l.variant_set_id,
  CASE WHEN n.compiler_from IN ('node', 'annotation') THEN l.compiler_id END AS compiler_id,
  n.recipe_id, n.target_definition_id, n.hash_state = 'respelled' AS is_respelled,
  CASE WHEN n.spec_id IS NOT NULL THEN ifnull(n.build_hash, '') END          AS build_hash
FROM spec x
CROSS JOIN look l ON l.look_id = x.look_id
LEFT JOIN node n ON n.spec_id = x.spec_id
WHERE x.spec_id BETWEEN :first AND :last;
