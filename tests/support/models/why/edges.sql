-- Why specs were rebuilt, step 4 of 5: the classes of new nodes whose own attributes some earlier nodes have, too.

-- Two nodes are compared by the types of edges that are part of both hashes: the levels at which the nodes of each own_id are
-- compared.
DROP TABLE IF EXISTS temp.why_level;
CREATE TEMP TABLE why_level (own_id INTEGER NOT NULL, level INTEGER NOT NULL, PRIMARY KEY (own_id, level)) WITHOUT ROWID;
INSERT INTO why_level
WITH has AS MATERIALIZED (SELECT DISTINCT own_id, is_new, level FROM why_member WHERE level IS NOT NULL),
both AS (
  SELECT s.new_own, s.old_own, min(n.level, o.level) AS level
  FROM why_same s
  CROSS JOIN has n ON n.own_id = s.new_own AND n.is_new
  CROSS JOIN has o ON o.own_id = s.old_own AND NOT o.is_new)
SELECT new_own, level FROM both UNION SELECT old_own, level FROM both;

-- The edges of a node as a text to compare: packages and types. To sort the edges of one node at a time takes half as
-- long as to sort those of all nodes.
DROP TABLE IF EXISTS temp.why_text;
CREATE TEMP TABLE why_text (
  spec_id INTEGER NOT NULL, level INTEGER NOT NULL, edges TEXT NOT NULL,
  PRIMARY KEY (spec_id, level)) WITHOUT ROWID;
INSERT OR IGNORE INTO why_text
SELECT m.spec_id, l.level, ifnull((
  SELECT group_concat(edge, ' ')
  FROM (
    SELECT q.package_id || ':' || k.deptypes_id AS edge
    FROM dependency d
    CROSS JOIN why_edge k ON k.edge_kind_id = d.edge_kind_id AND k.since <= l.level
    CROSS JOIN why_package q ON q.spec_id = d.dependency_id
    WHERE d.spec_id = m.spec_id
    ORDER BY q.package_id, k.deptypes_id)), '')
FROM why_member m
CROSS JOIN why_level l ON l.own_id = m.own_id AND l.level <= m.level;

-- The edges that earlier nodes with these own attributes have. `full_level` is the level of such a node.
DROP TABLE IF EXISTS temp.why_old_edges;
CREATE TEMP TABLE why_old_edges (
  own_id INTEGER NOT NULL, level INTEGER NOT NULL, full_level INTEGER NOT NULL, edges TEXT NOT NULL,
  PRIMARY KEY (own_id, level, edges, full_level)) WITHOUT ROWID;
INSERT INTO why_old_edges
SELECT DISTINCT m.own_id, t.level, m.level, t.edges
FROM why_member m
CROSS JOIN why_text t ON t.spec_id = m.spec_id
WHERE NOT m.is_new;

-- 'edges': no earlier node with the same own attributes depends on the same packages in the same way. An earlier node whose
-- dependencies are not known may. 'below': some dependency is new.
UPDATE why_new
SET class = CASE
  WHEN NOT EXISTS (
    SELECT 1
    FROM why_same s
    CROSS JOIN why_member n ON n.new_id = why_new.new_id
    CROSS JOIN why_text t ON t.spec_id = why_new.spec_id
    CROSS JOIN why_old_edges o ON o.own_id = s.old_own AND o.level = t.level AND o.edges = t.edges
    WHERE s.new_own = why_new.own_id AND t.level = min(n.level, o.full_level))
  AND NOT EXISTS (
    SELECT 1
    FROM why_same s
    CROSS JOIN why_member o ON o.own_id = s.old_own AND o.is_new = 0
    WHERE s.new_own = why_new.own_id AND o.level IS NULL)
  THEN 'edges'
  WHEN EXISTS (SELECT 1 FROM why_new_edge e WHERE e.new_id = why_new.new_id) THEN 'below'
END
WHERE class IS NULL;

-- The nodes that are left depend on the same packages, and on nothing new. `told`: no earlier node like it ('edges' aside) has the
-- same dependencies ('uses'); the same virtuals; the same features of the target ('target-definition'); or the same era of hashes
-- ('hash-definition': forms 1 and 2 are one era). old_id is the earlier node to compare with.
DROP TABLE IF EXISTS temp.why_last;
CREATE TEMP TABLE why_last (
  new_id INTEGER PRIMARY KEY, spec_id INTEGER NOT NULL, told TEXT NOT NULL, old_id INTEGER NOT NULL, level INTEGER NOT NULL);
INSERT INTO why_last
WITH pair AS (
  SELECT
    w.new_id, w.spec_id, w.class, o.spec_id AS old_id, o.is_gone, o.hash, min(n.level, ifnull(o.level, 0)) AS level,
    -- As many edges of each package are there: one that the other lacks shows that there are others.
    o.level IS NOT NULL AND EXISTS (
      SELECT 1
      FROM dependency a
      CROSS JOIN why_edge e ON e.edge_kind_id = a.edge_kind_id
      WHERE a.spec_id = w.spec_id
        AND e.since <= min(n.level, o.level)
        AND NOT EXISTS (
          SELECT 1
          FROM dependency b
          CROSS JOIN why_edge f ON f.edge_kind_id = b.edge_kind_id
          WHERE b.spec_id = o.spec_id AND b.dependency_id = a.dependency_id AND f.deptypes_id = e.deptypes_id)) AS uses,
    EXISTS (
      SELECT 1
      FROM dependency a
      CROSS JOIN edge_kind ka ON ka.edge_kind_id = a.edge_kind_id
      CROSS JOIN dependency b ON b.spec_id = o.spec_id AND b.dependency_id = a.dependency_id
      CROSS JOIN edge_kind kb ON kb.edge_kind_id = b.edge_kind_id AND kb.deptypes = ka.deptypes
      CROSS JOIN why_edge e ON e.edge_kind_id = a.edge_kind_id
      WHERE a.spec_id = w.spec_id AND ka.virtuals <> kb.virtuals AND e.since <= min(n.level, o.level)) AS virtuals,
    ifnull(n.target_definition_id <> o.target_definition_id, 0) AS features,
    ifnull(max(n.form, 2) <> max(o.form, 2), 0)                 AS form
  FROM why_new w
  CROSS JOIN why_member n ON n.new_id = w.new_id
  CROSS JOIN why_same s ON s.new_own = w.own_id
  CROSS JOIN why_member o ON o.own_id = s.old_own AND o.is_new = 0
  LEFT JOIN why_text t ON t.spec_id = n.spec_id AND t.level = min(n.level, o.level)
  LEFT JOIN why_text u ON u.spec_id = o.spec_id AND u.level = min(n.level, o.level)
  WHERE (w.class IS NULL OR w.class = 'edges')  -- before pairs are made: pages leave none
    AND (w.class = 'edges' OR ifnull(t.edges = u.edges, 1))),
told AS (
  SELECT *,
    CASE
      WHEN class = 'edges' THEN 'edges'
      WHEN min(uses) OVER one THEN 'uses'
      WHEN min(uses OR virtuals) OVER one THEN 'virtuals'
      WHEN NOT min(uses OR virtuals OR features OR form) OVER one THEN 'unexplained'
      WHEN min(uses OR virtuals OR features) OVER one THEN 'target-definition'
      ELSE 'hash-definition'
    END AS told
  FROM pair
  WINDOW one AS (PARTITION BY new_id)),
ranked AS (
  SELECT *, row_number() OVER (
    PARTITION BY new_id ORDER BY told = 'virtuals' AND uses, is_gone DESC, hash) AS place
  FROM told)
SELECT new_id, spec_id, told, old_id, level FROM ranked WHERE place = 1;
-- The later one of two specs, as one more node (0) if it has own attributes that differ: its edges are another reason. (An external
-- spec has none.)
INSERT INTO why_last
SELECT 0, n.spec_id, 'edges', o.spec_id, min(n.level, o.level)
FROM why_new w
CROSS JOIN why_member n ON n.new_id = w.new_id
CROSS JOIN why_member o ON o.group_id = n.group_id AND NOT o.is_new
WHERE w.depth = 0
  AND w.class = 'own'
  AND n.level AND o.level
  AND NOT EXISTS (SELECT 1 FROM recipe r WHERE r.recipe_id IN (n.recipe_id, o.recipe_id) AND r.external);

-- What differs in the edges, a text for each package of dependencies.
DROP TABLE IF EXISTS temp.why_edge_change;
CREATE TEMP TABLE why_edge_change (new_id INTEGER NOT NULL, package TEXT NOT NULL, change TEXT NOT NULL);
INSERT INTO why_edge_change
WITH side AS (
  SELECT l.new_id, l.told, d.dependency_id, k.deptypes, k.virtuals, s.is_new, q.name
  FROM why_last l
  CROSS JOIN (SELECT 0 AS is_new UNION ALL SELECT 1) s
  CROSS JOIN dependency d ON d.spec_id = CASE s.is_new WHEN 1 THEN l.spec_id ELSE l.old_id END
  CROSS JOIN why_edge w ON w.edge_kind_id = d.edge_kind_id AND w.since <= l.level
  CROSS JOIN edge_kind k ON k.edge_kind_id = d.edge_kind_id
  CROSS JOIN spec x ON x.spec_id = d.dependency_id
  CROSS JOIN look o ON o.look_id = x.look_id
  CROSS JOIN package q ON q.package_id = o.package_id
  WHERE l.told IN ('edges', 'virtuals')
  ORDER BY l.new_id, q.name, k.deptypes, d.dependency_id)
SELECT new_id, name,
  CASE told
    WHEN 'virtuals' THEN 'virtuals: '
    ELSE CASE WHEN before IS NULL THEN 'dependency added: ' WHEN now IS NULL THEN 'removed: ' ELSE 'edge: ' END
  END || name
FROM (
  SELECT new_id, told, name,
    group_concat(CASE told WHEN 'virtuals' THEN virtuals ELSE deptypes END, ' ') FILTER (WHERE is_new)     AS now,
    group_concat(CASE told WHEN 'virtuals' THEN virtuals ELSE deptypes END, ' ') FILTER (WHERE NOT is_new) AS before
  FROM side
  GROUP BY new_id, told, name)
WHERE CASE told WHEN 'virtuals' THEN now <> before ELSE now IS NOT before END;
-- Builds that only one of the two uses. Two builds of one version are told apart by their hashes.
INSERT INTO why_edge_change
WITH side AS (
  SELECT l.new_id, d.dependency_id, w.deptypes_id, min(s.is_new) AS is_new
  FROM why_last l
  CROSS JOIN (SELECT 0 AS is_new UNION ALL SELECT 1) s
  CROSS JOIN dependency d ON d.spec_id = CASE s.is_new WHEN 1 THEN l.spec_id ELSE l.old_id END
  CROSS JOIN why_edge w ON w.edge_kind_id = d.edge_kind_id AND w.since <= l.level
  WHERE l.told = 'uses'
  GROUP BY l.new_id, d.dependency_id, w.deptypes_id
  HAVING min(s.is_new) = max(s.is_new)),
other AS (
  SELECT s.new_id, s.is_new, q.name, ifnull(v.version, '') AS version, x.hash
  FROM (SELECT DISTINCT new_id, dependency_id, is_new FROM side) s
  CROSS JOIN spec x ON x.spec_id = s.dependency_id
  CROSS JOIN look o ON o.look_id = x.look_id
  CROSS JOIN package q ON q.package_id = o.package_id
  LEFT JOIN version v ON v.version_id = o.version_id
  ORDER BY s.new_id, q.name, version, x.hash),
named AS (
  SELECT new_id, is_new, name,
    name || ' ' || version || CASE
      WHEN max(is_new) OVER same <> min(is_new) OVER same THEN '/' || substr(hash, 1, 7) ELSE '' END AS build
  FROM other
  WINDOW same AS (PARTITION BY new_id, name, version))
SELECT new_id, name,
  'uses: ' || group_concat(build, ', ') FILTER (WHERE NOT is_new)
    || ' -> ' || group_concat(build, ', ') FILTER (WHERE is_new)
FROM named
GROUP BY new_id, name;

INSERT INTO why_new (new_id, spec_id, package_id, hash, own_id, depth)
SELECT 0, spec_id, package_id, hash, own_id, 0
FROM why_new
WHERE depth = 0 AND 0 IN (SELECT new_id FROM why_edge_change);
INSERT INTO why_new_edge SELECT w.new_id, 0 FROM why_new z CROSS JOIN why_new w ON w.depth = 0 AND w.new_id > 0 WHERE z.new_id = 0;

UPDATE why_new
SET (class, change) = (
  SELECT
    CASE WHEN l.told IN ('uses', 'virtuals') THEN 'edges' ELSE l.told END,
    CASE l.told
      WHEN 'target-definition' THEN 'features of the target'
      WHEN 'hash-definition' THEN 'definition of the hash'
      -- Another Spack wrote the text anew: what was hashed, such as the features of the target, is not known.
      WHEN 'unexplained' THEN CASE
        WHEN EXISTS (SELECT 1 FROM node n WHERE n.spec_id IN (l.spec_id, l.old_id) AND n.hash_state = 'respelled')
        THEN 'respelled' ELSE '' END
      ELSE (SELECT group_concat(change, '; ') FROM (
        SELECT change FROM why_edge_change e WHERE e.new_id = l.new_id ORDER BY package))
    END
  FROM why_last l
  WHERE l.new_id = why_new.new_id)
WHERE new_id IN (SELECT new_id FROM why_last);
