-- title: Commits by the builds that they can explain
-- The commits that touched recipes between two snapshots, if a package repository was ingested. The one that can explain
-- most rebuilt builds comes first. A commit can explain the reasons of `drift/why` whose package it touched: a new version, other
-- variants, patches or dependencies, another recipe, a new package. It happened in that time; it need not be the cause.
-- `reasons` counts these reasons, of all packages that the commit touched. `package`, `change`, `specs` and `packages` are those
-- of the reason among them that explains most builds. So a commit can explain at least `specs` builds, of `packages`
-- packages; a build counts in each row that can explain it. The last row has no commit: it stands for the reasons
-- that no commit in that time can explain, and names the one that explains most builds.
-- param: from snapshot = {to}~1   the snapshot before
-- param: to snapshot = latest     the snapshot after
-- param: package glob = *         explain only builds of packages that match
-- param: stack glob = null        explain only builds that were added within stacks that match
-- filters: looks
-- The program fills the table spec_reasons (reports/engine/reasons/tables.sql) for the same arguments, and the builds of asked_looks.
-- The first commit of a repository touches all that it has: what it changed is not known.
WITH
time AS MATERIALIZED (
  SELECT min(taken_at) AS first, max(taken_at) AS last
  FROM snapshot
  WHERE name IN (:from, :to)),
reason AS MATERIALIZED (
  SELECT package, change, specs, packages, reach, namespace, by_recipe
  FROM spec_reasons
  WHERE from_snapshot = :from
    AND to_snapshot = :to
    AND stack IS :stack
    AND asked_packages = :package
    AND class NOT IN ('pushed', 'unknown')
    AND EXISTS (SELECT 1 FROM recipe_commit)),
touched AS MATERIALIZED (
  SELECT k.name AS package, k.namespace, c.recipe_commit_id
  FROM time t
  CROSS JOIN (SELECT DISTINCT package FROM reason WHERE by_recipe = 1) p
  CROSS JOIN recipe_package k ON k.name = p.package
  CROSS JOIN recipe_change x USING (recipe_package_id)
  CROSS JOIN recipe_commit c USING (recipe_commit_id)
  CROSS JOIN package_repository y USING (package_repository_id)
  WHERE c.committed_at > t.first
    AND c.committed_at <= t.last
    AND c.committed_at > y.first_at),
ranked AS (
  SELECT
    t.recipe_commit_id, r.package, r.change, r.specs, r.packages,
    count(*) OVER (PARTITION BY t.recipe_commit_id) AS reasons,
    row_number() OVER (
      PARTITION BY t.recipe_commit_id
      ORDER BY r.specs DESC, r.reach DESC, r.package NULLS LAST, r.change) AS place
  FROM reason r
  LEFT JOIN touched t
    ON r.by_recipe = 1
   AND t.package = r.package
   AND (r.namespace IS NULL OR t.namespace = r.namespace))
SELECT
  CASE WHEN c.commit_id IS NOT NULL THEN lower(hex(c.commit_id)) END AS commit_id,
  strftime('%Y-%m-%dT%H:%M:%SZ', c.committed_at, 'unixepoch')        AS committed_at,
  r.package,
  c.subject,
  r.specs,
  r.packages,
  r.reasons,
  r.change
FROM ranked r
LEFT JOIN recipe_commit c USING (recipe_commit_id)
WHERE r.place = 1
ORDER BY r.recipe_commit_id IS NULL, r.specs DESC, c.committed_at, r.recipe_commit_id;
