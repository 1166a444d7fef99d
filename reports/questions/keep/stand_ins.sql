-- The specs whose own binary need not be in the cache: of a spliced one, the spec that was built will do (its id); an external one
-- needs none (NULL).
SELECT n.spec_id, b.spec_id
FROM node n
CROSS JOIN spec b ON b.hash = n.build_hash
WHERE n.build_hash IS NOT NULL
UNION ALL
SELECT n.spec_id, NULL
FROM recipe r
CROSS JOIN node n ON n.recipe_id = r.recipe_id
WHERE r.external = 1;
