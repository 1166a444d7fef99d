-- Why specs were rebuilt, step 2 of 5: the graphs. A graph is the specs of one side and all they reach. Only edges that are
-- part of the hash count, so a hash has the same nodes below it wherever it is.
--
-- A node is new if the earlier side does not have it (in_from is 0). in_from is NULL where nobody knows; such a node is neither
-- new nor an earlier one to compare with. The earlier side may be made from pages, which list what is in the cache. A node that
-- they do not list is
--   new      if the later side has it in its cache, or a cached spec needs it to link or to run: a cache keeps these
--   unknown  if it is only needed to build, which a cache need not keep; and if it is external, which no cache keeps

-- Since which form of nodes an edge is part of the hash.
DROP TABLE IF EXISTS temp.why_edge;
CREATE TEMP TABLE why_edge (edge_kind_id INTEGER PRIMARY KEY, since INTEGER NOT NULL, deptypes_id INTEGER NOT NULL);
INSERT INTO why_edge
SELECT
  edge_kind_id,
  since,
  min(edge_kind_id) OVER (PARTITION BY deptypes)
FROM edge_kinds;

-- First the specs on both sides and what they reach, then what is left on one side: mostly little. Each time the specs come first:
-- the recursion has to visit only what is not among them.
DROP TABLE IF EXISTS temp.why_node;
CREATE TEMP TABLE why_node (spec_id INTEGER PRIMARY KEY, in_from INTEGER, in_to INTEGER NOT NULL);
INSERT INTO why_node
SELECT spec_id, 1, 1 FROM why_present WHERE in_from AND in_to;
INSERT INTO why_node
WITH RECURSIVE
-- DISTINCT comes before the search in why_node: it leaves few dependencies, and each search takes longer.
direct (spec_id) AS MATERIALIZED (
  SELECT DISTINCT d.dependency_id
  FROM why_node w
  CROSS JOIN node n ON n.spec_id = w.spec_id
  CROSS JOIN dependency d ON d.spec_id = w.spec_id
  CROSS JOIN why_edge k ON k.edge_kind_id = d.edge_kind_id AND k.since <= n.form),
reached (spec_id) AS (
  SELECT spec_id FROM direct WHERE spec_id NOT IN (SELECT spec_id FROM why_node)
  UNION
  SELECT d.dependency_id
  FROM reached w
  CROSS JOIN node n ON n.spec_id = w.spec_id
  CROSS JOIN dependency d ON d.spec_id = w.spec_id
  CROSS JOIN why_edge k ON k.edge_kind_id = d.edge_kind_id AND k.since <= n.form
  WHERE d.dependency_id NOT IN (SELECT spec_id FROM why_node))
SELECT spec_id, 1, 1 FROM reached;
INSERT OR IGNORE INTO why_node
SELECT spec_id, 1, 0 FROM why_present WHERE in_from AND NOT in_to;
INSERT INTO why_node
WITH RECURSIVE
direct (spec_id) AS MATERIALIZED (
  SELECT DISTINCT d.dependency_id
  FROM why_present w
  CROSS JOIN node n ON n.spec_id = w.spec_id
  CROSS JOIN dependency d ON d.spec_id = w.spec_id
  CROSS JOIN why_edge k ON k.edge_kind_id = d.edge_kind_id AND k.since <= n.form
  WHERE w.in_from AND NOT w.in_to),
reached (spec_id) AS (
  SELECT spec_id FROM direct WHERE spec_id NOT IN (SELECT spec_id FROM why_node)
  UNION
  SELECT d.dependency_id
  FROM reached w
  CROSS JOIN node n ON n.spec_id = w.spec_id
  CROSS JOIN dependency d ON d.spec_id = w.spec_id
  CROSS JOIN why_edge k ON k.edge_kind_id = d.edge_kind_id AND k.since <= n.form
  WHERE d.dependency_id NOT IN (SELECT spec_id FROM why_node))
SELECT spec_id, 1, 0 FROM reached;
INSERT INTO why_node
SELECT spec_id, 0, 1 FROM why_present WHERE in_to AND NOT in_from
ON CONFLICT (spec_id) DO UPDATE SET in_to = 1;
INSERT INTO why_node
WITH RECURSIVE
direct (spec_id) AS MATERIALIZED (
  SELECT DISTINCT d.dependency_id
  FROM why_present w
  CROSS JOIN node n ON n.spec_id = w.spec_id
  CROSS JOIN dependency d ON d.spec_id = w.spec_id
  CROSS JOIN why_edge k ON k.edge_kind_id = d.edge_kind_id AND k.since <= n.form
  WHERE w.in_to AND NOT w.in_from),
reached (spec_id) AS (
  SELECT spec_id FROM direct x
  WHERE NOT EXISTS (SELECT 1 FROM why_node o WHERE o.spec_id = x.spec_id AND o.in_to)
  UNION
  SELECT d.dependency_id
  FROM reached w
  CROSS JOIN node n ON n.spec_id = w.spec_id
  CROSS JOIN dependency d ON d.spec_id = w.spec_id
  CROSS JOIN why_edge k ON k.edge_kind_id = d.edge_kind_id AND k.since <= n.form
  WHERE NOT EXISTS (SELECT 1 FROM why_node o WHERE o.spec_id = d.dependency_id AND o.in_to))
SELECT spec_id, 0, 1 FROM reached WHERE true  -- without WHERE SQLite reads ON as that of a join
ON CONFLICT (spec_id) DO UPDATE SET in_to = 1;

-- What the earlier side would not list (see above).
UPDATE why_node SET in_from = NULL
WHERE NOT in_from
  AND (SELECT from_lists FROM why_pair) = 'cached'
  AND spec_id NOT IN (SELECT spec_id FROM why_present WHERE in_to)
  AND spec_id NOT IN (
    WITH RECURSIVE needed (spec_id) AS (
      SELECT spec_id
      FROM why_present
      WHERE in_to AND NOT in_from
      UNION
      SELECT d.dependency_id
      FROM needed w
      CROSS JOIN dependency d ON d.spec_id = w.spec_id
      CROSS JOIN edge_kind k ON k.edge_kind_id = d.edge_kind_id AND (k.is_link OR k.is_run))
    SELECT w.spec_id
    FROM needed w
    CROSS JOIN node n ON n.spec_id = w.spec_id
    LEFT JOIN recipe r ON r.recipe_id = n.recipe_id
    WHERE r.external IS NOT 1);

DROP TABLE IF EXISTS temp.why_package;
CREATE TEMP TABLE why_package (spec_id INTEGER PRIMARY KEY, package_id INTEGER NOT NULL);
INSERT INTO why_package
SELECT w.spec_id, l.package_id
FROM why_node w
CROSS JOIN spec x ON x.spec_id = w.spec_id
CROSS JOIN look l ON l.look_id = x.look_id;

-- Edges between new nodes, by their new_id.
DROP TABLE IF EXISTS temp.why_new_edge;
CREATE TEMP TABLE why_new_edge (
  new_id INTEGER NOT NULL, dependency_id INTEGER NOT NULL, PRIMARY KEY (new_id, dependency_id)) WITHOUT ROWID;
INSERT OR IGNORE INTO why_new_edge
SELECT d.spec_id, d.dependency_id
FROM why_node w
CROSS JOIN node n ON n.spec_id = w.spec_id
CROSS JOIN dependency d ON d.spec_id = w.spec_id
CROSS JOIN why_edge k ON k.edge_kind_id = d.edge_kind_id AND k.since <= n.form
CROSS JOIN why_node o ON o.spec_id = d.dependency_id
WHERE NOT w.in_from AND NOT o.in_from;

-- The new nodes that are asked for: the specs to explain, and both ends of each edge between new nodes. Another new node neither has
-- a reason nor is one. Between two snapshots of pages there are no edges, and most of the time went to nodes that nobody asks for.
DROP TABLE IF EXISTS temp.why_wanted;
CREATE TEMP TABLE why_wanted (spec_id INTEGER PRIMARY KEY, package_id INTEGER NOT NULL);
INSERT INTO why_wanted
SELECT w.spec_id, p.package_id
FROM why_node w
CROSS JOIN why_package p ON p.spec_id = w.spec_id
WHERE NOT w.in_from
  AND w.spec_id IN (
    SELECT spec_id FROM why_asked WHERE is_rebuilt
    UNION SELECT new_id FROM why_new_edge
    UNION SELECT dependency_id FROM why_new_edge);

-- The nodes to compare: these, and the earlier ones of the same group, which is their package. new_id tells the new ones apart, and
-- is NULL for the earlier ones. (Between two specs pairs.hpp makes the groups, each of a new node and an earlier one; `depth` is 0 for
-- the two themselves, 1 for what they depend on directly.)
DROP TABLE IF EXISTS temp.why_grouped;
CREATE TEMP TABLE why_grouped (
  group_id INTEGER NOT NULL, spec_id INTEGER NOT NULL, new_id INTEGER, is_gone INTEGER NOT NULL, depth INTEGER);
INSERT INTO why_grouped
SELECT p.package_id, w.spec_id, CASE WHEN NOT w.in_from THEN w.spec_id END, NOT w.in_to, NULL
FROM why_node w
CROSS JOIN why_package p ON p.spec_id = w.spec_id
WHERE w.in_from AND p.package_id IN (SELECT package_id FROM why_wanted)
   OR w.spec_id IN (SELECT spec_id FROM why_wanted);
