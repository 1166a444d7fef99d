-- title: Builds that look the same
-- Specs of one package that are alike in version, system, compiler and variants and differ in their hash
-- only: built again because of something that pages do not show (dependencies, patches, the recipe).
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
-- param: least integer = 2      only where at least so many look the same
SELECT
  package,
  version,
  platform,
  os,
  target,
  compiler,
  variants,
  count(*)                AS specs,
  group_concat(hash, ',') AS hashes
FROM (
  SELECT package, version, platform, os, target, compiler, variants, hash
  FROM specs
  WHERE snapshot = :at
    AND package GLOB :package
    -- What is not known can't be said to be alike. (No compiler is known to be none.)
    AND version IS NOT NULL
    AND target IS NOT NULL
    AND variants IS NOT NULL
  ORDER BY package, version, platform, os, target, compiler, variants, hash)
GROUP BY package, version, platform, os, target, compiler, variants
HAVING count(*) >= :least
ORDER BY count(*) DESC, package, version, platform, os, target, compiler, variants;
