-- The specs of a package in a snapshot. `root`, the union of all stacks, is left out.
SELECT
  hash, version, compiler, os, target, variants, stacks
FROM (
  SELECT
    hash, version, compiler, os, target, variants, version_key, compiler_key,
    trim(replace(',' || stacks || ',', ',root,', ','), ',') AS stacks
  FROM specs
  WHERE snapshot = :at AND package = :package)
ORDER BY version_key DESC, compiler_key, target, hash;
