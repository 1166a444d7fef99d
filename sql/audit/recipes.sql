-- title: Builds that recipes disown
-- Builds that the recipes of a package repository (at the last commit that was ingested) would not make, or not give away. `reason` is
-- 'package gone': no repository of its namespace has such a recipe; 'version gone': the recipe had the version once;
-- 'version deprecated'; 'not redistributable': the recipe or its build system says redistribute(binary=False); or
-- 'perhaps not redistributable': it says so with a `condition`, which only some `builds` or none meet. The condition is not judged here:
-- ask specs 'PACKAGE CONDITION', unless it begins with 'Python:': then the recipe computes it. A build can have several reasons.
-- Not judged are externals, builds of a namespace whose repository is not in the ledger, and versions that the recipe had in no
-- commit: Spack builds git.main=1.2, too. Versions are compared as Spack does: 1_8 is 1.8 and 1-8. No version is gone of a recipe that
-- makes versions in a loop, or has a base class that is not read. Of several repositories of a namespace, a package has the recipe of the
-- newest head that has one. A build whose namespace is not known, as of a page, is judged if only one has its package; that is
-- gone only if its recipe had the version.
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
-- filters: looks
WITH
home AS MATERIALIZED (
  SELECT DISTINCT k.namespace
  FROM head_recipe h
  CROSS JOIN recipe_package k ON k.recipe_package_id = h.recipe_package_id),
built AS MATERIALIZED (
  SELECT l.package_id, l.version_id, r.namespace, count(*) AS builds
  FROM present_specs p
  CROSS JOIN asked_looks l ON l.look_id = p.look_id
  LEFT JOIN node n ON n.spec_id = p.spec_id
  LEFT JOIN recipe r ON r.recipe_id = n.recipe_id
  WHERE p.snapshot = :at AND coalesce(r.external, 0) = 0
    AND glob(:package, p.package)
  GROUP BY l.package_id, l.version_id, r.namespace),
-- The recipe of each, NULL for none, as far as one can tell which it is; and the version with one separator.
judged AS MATERIALIZED (
  SELECT b.package_id, b.version_id, b.builds, b.namespace AS own_namespace,
    replace(replace(v.version, '_', '.'), '-', '.') AS version,
    min(o.namespace)             AS namespace,
    min(k.recipe_package_id)     AS recipe_package_id,
    min(h.package_repository_id) AS package_repository_id,
    min(h.knows_versions)        AS knows_versions
  FROM built b
  CROSS JOIN package a ON a.package_id = b.package_id
  LEFT JOIN version v ON v.version_id = b.version_id
  CROSS JOIN home o ON o.namespace = coalesce(b.namespace, o.namespace)
  LEFT JOIN recipe_package k ON k.name = a.name AND k.namespace = o.namespace
  LEFT JOIN head_recipe h ON h.recipe_package_id = k.recipe_package_id AND h.package_repository_id = (
    SELECT x.package_repository_id
    FROM head_recipe x
    CROSS JOIN package_repository y ON y.package_repository_id = x.package_repository_id
    WHERE x.recipe_package_id = k.recipe_package_id
    ORDER BY y.head_at DESC, y.package_repository_id
    LIMIT 1)
  WHERE b.namespace IS NOT NULL OR k.recipe_package_id IS NOT NULL
  GROUP BY b.package_id, b.version_id, b.builds, b.namespace, v.version
  HAVING count(*) = 1),
reason AS (
  SELECT j.package_id, j.version_id, j.builds, j.namespace, 'package gone' AS reason, NULL AS condition
  FROM judged j
  WHERE j.package_repository_id IS NULL
    AND (j.own_namespace IS NOT NULL OR EXISTS (
      SELECT 1 FROM recipe_version c
      WHERE c.recipe_package_id = j.recipe_package_id AND replace(replace(c.version, '_', '.'), '-', '.') = j.version))
  UNION ALL
  SELECT j.package_id, j.version_id, j.builds, j.namespace, 'version gone', NULL
  FROM judged j
  WHERE j.knows_versions = 1
    AND EXISTS (
      SELECT 1 FROM recipe_version c
      WHERE c.recipe_package_id = j.recipe_package_id AND replace(replace(c.version, '_', '.'), '-', '.') = j.version)
    AND NOT EXISTS (
      SELECT 1 FROM head_version h
      WHERE h.recipe_package_id = j.recipe_package_id AND h.package_repository_id = j.package_repository_id
        AND replace(replace(h.version, '_', '.'), '-', '.') = j.version)
  UNION ALL
  SELECT j.package_id, j.version_id, j.builds, j.namespace, 'version deprecated', NULL
  FROM judged j
  WHERE 1 = (
      SELECT min(coalesce(h.is_deprecated, 0)) FROM head_version h
      WHERE h.recipe_package_id = j.recipe_package_id AND h.package_repository_id = j.package_repository_id
        AND replace(replace(h.version, '_', '.'), '-', '.') = j.version)
  UNION ALL
  SELECT j.package_id, j.version_id, j.builds, j.namespace,
    CASE WHEN h.condition = '' THEN 'not redistributable' ELSE 'perhaps not redistributable' END,
    CASE WHEN h.is_spec = 0 THEN 'Python: ' || h.condition ELSE nullif(h.condition, '') END
  FROM judged j
  CROSS JOIN head_restriction h
    ON h.recipe_package_id = j.recipe_package_id AND h.package_repository_id = j.package_repository_id)
SELECT k.name AS package, v.version, r.namespace, r.reason, r.condition, r.builds
FROM reason r
CROSS JOIN package k ON k.package_id = r.package_id
LEFT JOIN version v ON v.version_id = r.version_id
ORDER BY k.name, v.sort_key NULLS FIRST, r.namespace, r.reason, r.condition NULLS FIRST;
