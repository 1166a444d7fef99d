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
-- The program fills why_package, why_package_edge and why_change (reports/engine/reasons/tables.sql) for the same arguments, and the builds of asked_looks.
WITH RECURSIVE reason AS MATERIALIZED (
  SELECT r.package_id, r.change
  FROM temp.why_change r
  CROSS JOIN package k ON k.package_id = r.package_id
  WHERE r.from_snapshot = :from
    AND r.to_snapshot = :to
    AND r.stack IS :stack
    AND r.asked_packages = :package
    AND k.name GLOB :reason),
distance (package_id, layer) AS (
  SELECT package_id, 0 FROM reason
  UNION
  SELECT e.package_id, d.layer + 1
  FROM distance d
  CROSS JOIN temp.why_package_edge e ON e.dependency_id = d.package_id
  WHERE d.layer < :layers),
placed AS MATERIALIZED (
  SELECT package_id, min(layer) AS layer FROM distance GROUP BY package_id)
SELECT
  0 AS layer, k.name AS package, r.change, n.specs,
  (SELECT count(*) FROM temp.why_package_edge e WHERE e.dependency_id = r.package_id) AS dependents, NULL AS dependency
FROM reason r
JOIN temp.why_package n ON n.package_id = r.package_id
JOIN package k ON k.package_id = r.package_id
UNION ALL
SELECT
  p.layer, k.name, NULL, n.specs, (SELECT count(*) FROM temp.why_package_edge a WHERE a.dependency_id = p.package_id), o.name
FROM placed p
JOIN temp.why_package_edge e ON e.package_id = p.package_id
JOIN placed b ON b.package_id = e.dependency_id AND b.layer = p.layer - 1
JOIN temp.why_package n ON n.package_id = p.package_id
JOIN package k ON k.package_id = p.package_id
JOIN package o ON o.package_id = e.dependency_id
ORDER BY 1, 5 DESC, 4 DESC, 2, 3, 6;
