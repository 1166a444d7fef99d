-- The intervals of a wish in a group of a list, or of a finding about a list, do not overlap, and two that touch are one. What
-- meets a wish is a pair of a wish and a spec that are there, and was judged. A commit is of a repository, once, and touched a
-- recipe, as does each commit that has a version first. What no list has, and no commit touched, has no row.
WITH wish_pair AS (
  SELECT wish_list_id, wish_id, valid_to,
    lead(valid_from) OVER (PARTITION BY wish_list_id, wish_id, spec_group ORDER BY valid_from) AS next_from
  FROM wish_presence),
finding_pair AS (
  SELECT path, valid_to,
    lead(valid_from) OVER (PARTITION BY package_repository_id, path, detail ORDER BY valid_from) AS next_from
  FROM wish_finding)
SELECT 'wish_presence: ' || w.spec || ' of ' || l.stack || ' has two intervals that '
    || CASE WHEN p.next_from = p.valid_to THEN 'could be one' ELSE 'overlap' END AS problem
FROM wish_pair p
JOIN wish w ON w.wish_id = p.wish_id
JOIN wish_list l ON l.wish_list_id = p.wish_list_id
WHERE p.next_from <= ifnull(p.valid_to, 9223372036854775807)
UNION ALL
SELECT 'wish_finding: ' || path || ' has two intervals that '
    || CASE WHEN next_from = valid_to THEN 'could be one' ELSE 'overlap' END
FROM finding_pair
WHERE next_from <= ifnull(valid_to, 9223372036854775807)
UNION ALL
SELECT 'wish: ' || spec || ' is of no list'
FROM wish
WHERE wish_id NOT IN (SELECT wish_id FROM wish_presence)
UNION ALL
SELECT 'wish_spec: the ' || CASE WHEN w.wish_id IS NULL THEN 'wish ' || a.wish_id ELSE 'spec ' || a.spec_id END || ' is gone'
FROM wish_spec a
LEFT JOIN wish w USING (wish_id)
LEFT JOIN spec x USING (spec_id)
WHERE w.wish_id IS NULL OR x.spec_id IS NULL
UNION ALL
SELECT 'wish_judgement: ' || count(*) || ' rows, expected one'
FROM wish_judgement
HAVING count(*) <> 1
UNION ALL
SELECT 'recipe_commit: ' || lower(hex(commit_id)) || ' is there ' || count(*) || ' times'
FROM recipe_commit
GROUP BY commit_id
HAVING count(*) > 1
UNION ALL
SELECT 'recipe_commit: ' || lower(hex(commit_id)) || ' touched no recipe'
FROM recipe_commit
WHERE recipe_commit_id NOT IN (SELECT recipe_commit_id FROM recipe_change)
UNION ALL
SELECT 'recipe_package: no commit touched ' || namespace || '.' || name
FROM recipe_package
WHERE recipe_package_id NOT IN (SELECT recipe_package_id FROM recipe_change)
  AND recipe_package_id NOT IN (SELECT recipe_package_id FROM head_recipe)
UNION ALL
SELECT 'recipe_version: the first commit of ' || k.name || ' ' || v.version || ' did not touch it'
FROM recipe_version v
JOIN recipe_package k USING (recipe_package_id)
WHERE NOT EXISTS (
  SELECT 1 FROM recipe_change x
  WHERE x.recipe_package_id = v.recipe_package_id AND x.recipe_commit_id = v.recipe_commit_id);
