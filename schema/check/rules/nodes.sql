-- A node and both ends of a dependency are specs, and what depends is a node. A build hash is that of a spec, and not its
-- own hash. Each recipe, target definition and kind of
-- edge is there once, and used. Each node is in a snapshot, or needed by one that is. The deptypes and virtuals of a kind are
-- sorted words.
SELECT 'dependency: ' || ifnull(x.hash, 'spec ' || d.spec_id) || ' needs ' || ifnull(y.hash, 'spec ' || d.dependency_id)
    || CASE WHEN x.spec_id IS NULL OR y.spec_id IS NULL THEN ', which is not there'
            WHEN n.spec_id IS NULL THEN ', and is no node'
            ELSE ' in a way that is not there' END AS problem
FROM dependency d
LEFT JOIN spec x ON x.spec_id = d.spec_id
LEFT JOIN spec y ON y.spec_id = d.dependency_id
LEFT JOIN node n ON n.spec_id = d.spec_id
LEFT JOIN edge_kind e ON e.edge_kind_id = d.edge_kind_id
WHERE x.spec_id IS NULL OR y.spec_id IS NULL OR n.spec_id IS NULL OR e.edge_kind_id IS NULL
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
FROM edge_kind
WHERE edge_kind_id NOT IN (SELECT edge_kind_id FROM dependency)
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
SELECT 'spec: ' || x.hash || ' of ' || k.name || ' is in no snapshot, and needed by none that is'
FROM spec x
JOIN look l USING (look_id)
JOIN package k USING (package_id)
WHERE EXISTS (SELECT 1 FROM node)
  AND x.spec_id NOT IN (
    WITH RECURSIVE reached (spec_id) AS (
      SELECT spec_id FROM presence
      UNION
      SELECT spec_id FROM root_presence
      UNION
      SELECT d.dependency_id
      FROM reached r
      CROSS JOIN dependency d ON d.spec_id = r.spec_id)
    SELECT spec_id FROM reached)
UNION ALL
SELECT 'presence: ' || x.hash || ' of ' || k.name || ' is in ' || r.name || ', and nothing describes it'
FROM look l
JOIN package k USING (package_id)
JOIN spec x USING (look_id)
JOIN presence p USING (spec_id)
JOIN series r USING (series_id)
WHERE l.version_id IS NULL AND l.arch_id IS NULL AND l.variant_set_id IS NULL
GROUP BY x.spec_id, r.series_id;
