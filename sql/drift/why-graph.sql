-- title: What was rebuilt because of what
-- The packages that changed at the bottom of rebuilt builds, and the packages that were rebuilt because of them. Layer 0 has
-- the reasons of drift/why, with what changed. Each other row is a package in the layer above the nearest of those that it
-- depends on, and one such `dependency`. `specs` counts the new builds of the package on the ways from the builds that are
-- explained down to the reasons. `dependents` counts the packages among these that depend on it. Those with the most come
-- first. `layers` bounds how far from the reasons.
-- param: from snapshot = {to}~1   the snapshot before
-- param: to snapshot = latest     the snapshot after
-- param: package glob = *         explain only builds of packages that match
-- param: stack glob = null        explain only builds that were added within stacks that match
-- param: reason package = *       only what changed in packages that match, and what depends on it
-- param: layers integer = 3       how many layers above the reasons
-- chart: graph: package,change specs by dependency each layer
-- caption: Packages that changed (left), packages rebuilt because of them, and how many builds
-- unit: builds specs
-- filters: looks
-- Outside of cacheledger the tables of spec_reasons are made first: reports/engine/reasons/asked_snapshots.sql says how, and reads asked_looks.
WITH RECURSIVE asked AS MATERIALIZED (
  SELECT 1 AS is_asked
  FROM temp.why_pair
  WHERE from_snapshot = :from AND to_snapshot = :to AND stack IS :stack AND packages = :package),
walked (new_id) AS MATERIALIZED (
  SELECT spec_id FROM temp.why_explained WHERE (SELECT is_asked FROM asked) = 1
  UNION
  SELECT e.dependency_id
  FROM walked w
  CROSS JOIN temp.why_new n ON n.new_id = w.new_id AND n.class = 'below'
  CROSS JOIN temp.why_new_edge e ON e.new_id = w.new_id),
node AS MATERIALIZED (
  SELECT n.package_id, count(*) AS specs
  FROM walked w
  CROSS JOIN temp.why_new n ON n.new_id = w.new_id
  GROUP BY n.package_id),
edge AS MATERIALIZED (
  SELECT DISTINCT n.package_id, d.package_id AS dependency_id
  FROM walked w
  CROSS JOIN temp.why_new n ON n.new_id = w.new_id AND n.class = 'below'
  CROSS JOIN temp.why_new_edge e ON e.new_id = w.new_id
  CROSS JOIN temp.why_new d ON d.new_id = e.dependency_id
  WHERE n.package_id <> d.package_id),
reason AS MATERIALIZED (
  SELECT n.package_id, n.change
  FROM walked w
  CROSS JOIN temp.why_new n ON n.new_id = w.new_id
  CROSS JOIN package k ON k.package_id = n.package_id
  WHERE n.class <> 'below' AND k.name GLOB :reason
  GROUP BY n.package_id, n.change),
distance (package_id, layer) AS (
  SELECT package_id, 0 FROM reason
  UNION
  SELECT e.package_id, d.layer + 1
  FROM distance d
  CROSS JOIN edge e ON e.dependency_id = d.package_id
  WHERE d.layer < :layers),
placed AS MATERIALIZED (
  SELECT package_id, min(layer) AS layer FROM distance GROUP BY package_id)
SELECT
  0 AS layer, k.name AS package, r.change, n.specs,
  (SELECT count(*) FROM edge e WHERE e.dependency_id = r.package_id) AS dependents, NULL AS dependency
FROM reason r
JOIN node n ON n.package_id = r.package_id
JOIN package k ON k.package_id = r.package_id
UNION ALL
SELECT
  p.layer, k.name, NULL, n.specs, (SELECT count(*) FROM edge a WHERE a.dependency_id = p.package_id), o.name
FROM placed p
JOIN edge e ON e.package_id = p.package_id
JOIN placed b ON b.package_id = e.dependency_id AND b.layer = p.layer - 1
JOIN node n ON n.package_id = p.package_id
JOIN package k ON k.package_id = p.package_id
JOIN package o ON o.package_id = e.dependency_id
ORDER BY 1, 5 DESC, 4 DESC, 2, 3, 6;
