-- title: Builds that look the same
-- Builds of one package with the same version, system, compiler and variants, and different hashes. They were built
-- again for a reason that pages do not show: dependencies, patches, the recipe.
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
-- param: least integer = 2      only groups of at least this many builds
-- filters: looks
-- command: specs
WITH repeated AS MATERIALIZED (
  SELECT package_id, look_id, count(*) AS specs
  FROM present_specs
  WHERE snapshot = :at
    AND glob(:package, package)
  GROUP BY package_id, look_id
  HAVING count(*) >= :least)
SELECT
  k.name       AS package,
  v.version,
  a.platform,
  a.os,
  a.target,
  c.spec       AS compiler,
  t.variants,
  r.specs,
  (SELECT group_concat(hash, ',')
   FROM (
     SELECT x.hash
     FROM present_specs p
     CROSS JOIN spec x USING (spec_id)
     WHERE p.snapshot = :at
       AND p.package_id = r.package_id
       AND p.look_id = r.look_id
     ORDER BY x.hash) o) AS hashes
FROM repeated r
CROSS JOIN asked_looks l USING (look_id)
CROSS JOIN package k ON k.package_id = l.package_id
-- Inner joins: specs with an unknown version, system or variant set are left out, because they may differ. A compiler
-- that is NULL counts as known to be none.
CROSS JOIN version v ON v.version_id = l.version_id
CROSS JOIN arch a ON a.arch_id = l.arch_id
CROSS JOIN variant_set t ON t.variant_set_id = l.variant_set_id
LEFT JOIN compiler c ON c.compiler_id = l.compiler_id
ORDER BY r.specs DESC, k.name, v.sort_key, a.platform, a.os, a.target, c.sort_key NULLS FIRST, t.variants;
