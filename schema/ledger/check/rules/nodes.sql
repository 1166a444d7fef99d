-- A node and both ends of a dependency are specs, and what depends is a node. Each recipe, target definition and kind of
-- edge is there once, and used. The deptypes of a kind are sorted words.
-- A node has a version and a system, and a compiler where it says from where. Only one that is spliced has a build_hash, and
-- only of forms 1 and 2 the hash can't be known. Its recipe has the patches that are a variant, and an index, a lock file or an
-- install database describes each spec that it has. Virtuals are known of edges from form 4 on, and of nodes from form 6 on. A
-- build hash of a lock file is that of a spec, and not its own hash.
SELECT 'dependency: ' || ifnull(x.hash, 'spec ' || d.spec_id) || ' needs ' || ifnull(y.hash, 'spec ' || d.dependency_id)
    || CASE WHEN x.spec_id IS NULL OR y.spec_id IS NULL THEN ', which is not there'
            WHEN n.spec_id IS NULL THEN ', and is no node'
            ELSE ' in a way that is not there' END AS problem
FROM dependency d
LEFT JOIN spec x ON x.spec_id = d.spec_id
LEFT JOIN spec y ON y.spec_id = d.dependency_id
LEFT JOIN node n ON n.spec_id = d.spec_id
LEFT JOIN edge_kind e ON e.edge_kind_id = d.edge_kind_id
WHERE d.spec_id IN (  -- a search for each spec, and not for each edge
    SELECT o.spec_id FROM (SELECT DISTINCT spec_id FROM dependency) o
    WHERE o.spec_id NOT IN (SELECT spec_id FROM spec) OR o.spec_id NOT IN (SELECT spec_id FROM node))
   OR d.dependency_id IN (
    SELECT o.dependency_id FROM (SELECT DISTINCT dependency_id FROM dependency) o
    WHERE o.dependency_id NOT IN (SELECT spec_id FROM spec))
   OR d.edge_kind_id NOT IN (SELECT edge_kind_id FROM edge_kind)
UNION ALL
SELECT 'node: spec ' || n.spec_id || ' is not there'
FROM node n
LEFT JOIN spec x USING (spec_id)
WHERE x.spec_id IS NULL
UNION ALL
SELECT 'spec_build_hash: ' || b.build_hash || CASE
    WHEN x.spec_id IS NULL THEN ' is of spec ' || b.spec_id || ', which is not there'
    WHEN x.hash = b.build_hash THEN ' is the DAG hash of its spec'
    ELSE ' is no hash' END
FROM spec_build_hash b
LEFT JOIN spec x USING (spec_id)
WHERE x.spec_id IS NULL OR x.hash = b.build_hash OR b.build_hash GLOB '*[^a-z2-7]*'
UNION ALL
SELECT 'node: spec ' || n.spec_id || ' has edges that are not part of its hash, and a text that is not read again'
FROM node n
WHERE n.form < 5
  AND NOT n.read_again
  AND EXISTS (
    SELECT 1
    FROM dependency d
    JOIN edge_kind e USING (edge_kind_id)
    WHERE d.spec_id = n.spec_id AND (e.is_test OR (e.is_build AND n.form < 3)))
UNION ALL
SELECT 'node: ' || x.hash || ' of ' || k.name || ' has ' || CASE
    WHEN l.version_id IS NULL THEN 'no version and no system'
    WHEN n.compiler_from <> 'nothing' AND l.compiler_id IS NULL THEN 'no compiler, and says that its ' || n.compiler_from || ' has it'
    WHEN n.hash_state = 'spliced' AND n.build_hash IS NULL THEN 'no build_hash, and is spliced'
    WHEN n.build_hash GLOB '*[^a-z2-7]*' THEN 'a build_hash that is no hash, expected 32 characters of a-z and 2-7'
    WHEN n.build_hash IS NOT NULL AND n.hash_state NOT IN ('spliced', 'unknowable') THEN 'a build_hash, and is not spliced'
    WHEN n.hash_state = 'unknowable' AND n.form > 2 THEN 'a hash that can''t be known, expected so of forms 1 and 2 only'
    ELSE 'no provided_virtuals, expected so before form 6 only' END
FROM node n
JOIN spec x USING (spec_id)
JOIN look l USING (look_id)
JOIN package k USING (package_id)
WHERE l.version_id IS NULL
   OR (n.compiler_from <> 'nothing' AND l.compiler_id IS NULL)
   OR (n.hash_state = 'spliced' AND n.build_hash IS NULL)
   OR n.build_hash GLOB '*[^a-z2-7]*'
   OR (n.build_hash IS NOT NULL AND n.hash_state NOT IN ('spliced', 'unknowable'))
   OR (n.hash_state = 'unknowable' AND n.form > 2)
   OR (n.form = 6 AND n.provided_virtuals IS NULL)
UNION ALL
SELECT 'edge_kind: ''' || e.deptypes || ''' without virtuals is of ' || x.hash || ', which has form ' || n.form
FROM dependency d
CROSS JOIN node n ON n.spec_id = d.spec_id
CROSS JOIN spec x ON x.spec_id = n.spec_id
JOIN edge_kind e ON e.edge_kind_id = d.edge_kind_id
WHERE n.form >= 4 AND d.edge_kind_id IN (SELECT edge_kind_id FROM edge_kind WHERE virtuals IS NULL)
UNION ALL
SELECT 'recipe: ' || r.recipe_id || ' of ' || x.hash || ' lacks the patch ' || v.value || ', which is in the variants'
FROM node n
CROSS JOIN spec x USING (spec_id)
CROSS JOIN look l USING (look_id)
CROSS JOIN (
  SELECT m.variant_set_id, w.value
  FROM variant_set_member m
  CROSS JOIN variant w USING (variant_id)
  WHERE w.name = 'patches' AND w.value NOT IN ('', '*')
  LIMIT -1) v USING (variant_set_id)  -- LIMIT: read once
CROSS JOIN recipe r USING (recipe_id)
WHERE instr(' ' || r.patches || ' ', ' ' || substr(v.value, 1, 7) || ' ') = 0
UNION ALL
SELECT 'presence: ' || x.hash || ' is in ' || r.name || ', and is no node'
FROM series r
CROSS JOIN presence p USING (series_id)
JOIN spec x USING (spec_id)
WHERE p.spec_id NOT IN (SELECT spec_id FROM node)
  AND NOT EXISTS (
    SELECT 1 FROM snapshot s
    WHERE s.series_id = r.series_id
      AND (s.kind = 'pages' OR EXISTS (SELECT 1 FROM unobserved_stack u WHERE u.snapshot_id = s.snapshot_id)))
UNION ALL
SELECT 'recipe: ' || recipe_id || ' has no flags or no patches, expected a text or '''''
FROM recipe
WHERE flags IS NULL OR patches IS NULL
UNION ALL
SELECT 'recipe: ' || group_concat(recipe_id, ' and ') || ' are alike'
FROM recipe
GROUP BY namespace, package_hash, flags, patches, external, external_path, external_modules
HAVING count(*) > 1
UNION ALL
SELECT 'recipe: ' || recipe_id || ' is of no node'
FROM recipe
WHERE recipe_id NOT IN (SELECT recipe_id FROM node)
UNION ALL
SELECT 'recipe: ' || recipe_id || ' has the path or modules of an external, and is none'
FROM recipe
WHERE external = 0 AND (external_path IS NOT NULL OR external_modules IS NOT NULL)
UNION ALL
SELECT 'target_definition: ' || target_definition_id || ' is of no node'
FROM target_definition
WHERE target_definition_id NOT IN (SELECT target_definition_id FROM node WHERE target_definition_id IS NOT NULL)
UNION ALL
SELECT 'edge_kind: ' || deptypes || ' is of no dependency'
FROM edge_kind e
WHERE NOT EXISTS (SELECT 1 FROM dependency d WHERE d.edge_kind_id = e.edge_kind_id)
UNION ALL
SELECT 'edge_kind: ''' || e.deptypes || ''' is not sorted, or has other words than build, link, run and test'
FROM edge_kind e
WHERE e.deptypes <> substr(
  CASE WHEN e.is_build THEN ',build' ELSE '' END || CASE WHEN e.is_link THEN ',link' ELSE '' END
  || CASE WHEN e.is_run THEN ',run' ELSE '' END || CASE WHEN e.is_test THEN ',test' ELSE '' END, 2)
UNION ALL
SELECT 'edge_kind: ' || group_concat(edge_kind_id, ' and ') || ' are alike'
FROM edge_kind
GROUP BY deptypes, virtuals
HAVING count(*) > 1
UNION ALL
SELECT 'presence: ' || x.hash || ' of ' || k.name || ' is in ' || r.name || ', and nothing describes it'
FROM look l
JOIN package k USING (package_id)
JOIN spec x USING (look_id)
JOIN presence p USING (spec_id)
JOIN series r USING (series_id)
WHERE l.version_id IS NULL AND l.arch_id IS NULL AND l.variant_set_id IS NULL
GROUP BY x.spec_id, r.series_id;
