-- Why specs were rebuilt, step 5 of 5: the reasons.

-- The specs to explain. Without known dependencies only own attributes can explain one.
DROP TABLE IF EXISTS temp.why_explained;
CREATE TEMP TABLE why_explained (spec_id INTEGER PRIMARY KEY);
INSERT INTO why_explained
SELECT a.spec_id
FROM why_asked a
CROSS JOIN why_new w ON w.new_id = a.spec_id
WHERE a.is_rebuilt
  AND (w.class = 'own' OR EXISTS (SELECT 1 FROM node n WHERE n.spec_id = a.spec_id));

-- The reasons of a spec are the first nodes of another class than 'below' on the ways down (why_new.goes_on). Nodes of one package, class and change
-- are one reason; so are those of all packages where the change is one of edges or of a definition.
DROP TABLE IF EXISTS temp.why_reason;
CREATE TEMP TABLE why_reason (new_id INTEGER PRIMARY KEY, reason_id INTEGER NOT NULL);
INSERT INTO why_reason
WITH RECURSIVE walked (new_id) AS (
  SELECT spec_id FROM why_explained
  UNION
  SELECT e.dependency_id
  FROM walked w
  CROSS JOIN why_new n ON n.new_id = w.new_id AND n.goes_on
  CROSS JOIN why_new_edge e ON e.new_id = w.new_id)
SELECT w.new_id,
  dense_rank() OVER (
    ORDER BY n.class, n.change,
      CASE WHEN n.class IN ('edges', 'target-definition', 'hash-definition') THEN 0 ELSE n.package_id END)
FROM walked w
CROSS JOIN why_new n ON n.new_id = w.new_id
WHERE n.class <> 'below';

-- How many specs each reason explains, of how many packages, and how many of them reach it through any new nodes. `same_as` is the
-- first reason that explains the same specs.
-- counted: from here
DROP INDEX IF EXISTS temp.why_new_edge_up;
CREATE INDEX temp.why_new_edge_up ON why_new_edge (dependency_id, new_id);
DROP TABLE IF EXISTS temp.why_count;
CREATE TEMP TABLE why_count (
  reason_id INTEGER PRIMARY KEY, specs INTEGER NOT NULL, packages INTEGER NOT NULL, reach INTEGER NOT NULL,
  same_as INTEGER NOT NULL);
INSERT INTO why_count
WITH RECURSIVE
because (new_id, reason_id) AS (
  SELECT new_id, reason_id FROM why_reason
  UNION
  SELECT e.new_id, b.reason_id
  FROM because b
  CROSS JOIN why_new_edge e ON e.dependency_id = b.new_id
  CROSS JOIN why_new n ON n.new_id = e.new_id AND n.goes_on),
reached (new_id, reason_id) AS (
  SELECT new_id, reason_id FROM why_reason
  UNION
  SELECT e.new_id, r.reason_id
  FROM reached r
  CROSS JOIN why_new_edge e ON e.dependency_id = r.new_id)
SELECT c.reason_id, c.specs, c.packages, h.reach, min(c.reason_id) OVER (PARTITION BY c.spec_ids)
FROM (
  SELECT reason_id, count(*) AS specs, count(DISTINCT package_id) AS packages, group_concat(new_id) AS spec_ids
  FROM (
    SELECT b.reason_id, b.new_id, n.package_id
    FROM because b
    CROSS JOIN why_explained x ON x.spec_id = b.new_id
    CROSS JOIN why_new n ON n.new_id = b.new_id
    ORDER BY b.reason_id, b.new_id)
  GROUP BY reason_id) c
JOIN (
  SELECT r.reason_id, count(*) AS reach
  FROM reached r
  CROSS JOIN why_explained x ON x.spec_id = r.new_id
  GROUP BY r.reason_id) h ON h.reason_id = c.reason_id;
-- counted: up to here

-- The rows, for the pair that was asked. Added specs whose hash was in the earlier graph are 'pushed', unless the earlier snapshot
-- has them in another stack: these only joined the stack that is asked. Of 'unknown' ones no source gives the dependencies.
-- `namespace` is that of the package, if it is known and one. by_recipe is 1 if a change of the package's recipe can be the reason:
-- one of the version, the variants, the patches, the dependencies, a new package. `depth`, between two specs: how far below them it is.
DROP VIEW IF EXISTS temp.spec_reasons;
CREATE TEMP VIEW spec_reasons AS
SELECT
  q.from_snapshot, q.to_snapshot, q.stack, q.packages AS asked_packages,
  CASE WHEN min(n.package_id) = max(n.package_id) THEN p.name END AS package,
  min(n.hash) AS hash, n.class, n.change, c.specs, c.packages, count(DISTINCT n.spec_id) AS builds, c.reach,
  c.same_as,
  CASE WHEN min(y.namespace) = max(y.namespace) THEN min(y.namespace) END AS namespace,
  max(CASE n.class
    WHEN 'own' THEN ifnull((SELECT o.by_recipe FROM temp.why_own_change o WHERE o.own_id = n.own_id), 1)
    WHEN 'edges' THEN n.change GLOB 'dependency added: *' OR n.change GLOB 'removed: *' OR n.change GLOB 'edge: *'
    ELSE 0 END) AND min(n.package_id) = max(n.package_id) AS by_recipe,
  min(n.depth) AS depth
FROM temp.why_pair q
CROSS JOIN temp.why_reason r
CROSS JOIN temp.why_new n ON n.new_id = r.new_id
CROSS JOIN package p ON p.package_id = n.package_id
CROSS JOIN temp.why_count c ON c.reason_id = r.reason_id
LEFT JOIN node d ON d.spec_id = n.spec_id
LEFT JOIN recipe y ON y.recipe_id = d.recipe_id
GROUP BY r.reason_id
UNION ALL
SELECT
  q.from_snapshot, q.to_snapshot, q.stack, q.packages, NULL, NULL, a.class, NULL, count(*), count(DISTINCT l.package_id), NULL, NULL,
  NULL, NULL, 0, NULL
FROM temp.why_pair q
CROSS JOIN (
  SELECT spec_id,
    CASE WHEN spec_id IN (SELECT spec_id FROM temp.why_present WHERE in_from) THEN NULL
         WHEN spec_id NOT IN (SELECT spec_id FROM temp.why_node WHERE NOT in_from) THEN 'pushed'
         WHEN is_rebuilt AND spec_id NOT IN (SELECT spec_id FROM temp.why_explained) THEN 'unknown' END AS class
  FROM temp.why_asked) a
CROSS JOIN spec x ON x.spec_id = a.spec_id
CROSS JOIN look l ON l.look_id = x.look_id
WHERE a.class IS NOT NULL
GROUP BY a.class;
