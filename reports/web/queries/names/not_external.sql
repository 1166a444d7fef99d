-- A build of a package that is not external, or of which nobody knows.
SELECT x.hash
FROM package k
CROSS JOIN look l ON l.package_id = k.package_id
CROSS JOIN spec x ON x.look_id = l.look_id
LEFT JOIN node n ON n.spec_id = x.spec_id
LEFT JOIN recipe r ON r.recipe_id = n.recipe_id
WHERE k.name = :package AND r.external IS NOT 1
LIMIT 1;
