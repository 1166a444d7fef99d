-- One row for each look, in words: all visible attributes of a spec except its hash. ORDER BY version_key and
-- compiler_key gives the natural order.
CREATE VIEW looks AS
SELECT
  l.look_id,                   -- the id of the look, in this ledger only
  k.name      AS package,      -- the name of the package
  v.version,                   -- as Spack prints it: 1.3.1
  a.platform,                  -- linux, darwin, ...
  a.os,                        -- the operating system: ubuntu22.04
  a.target,                    -- the processor family: x86_64_v3
  c.spec      AS compiler,     -- gcc@13.2.0; NULL: none
  t.variants,                  -- in Spack's spelling and canonical order, separated by blanks
  v.sort_key  AS version_key,  -- sorts versions in natural order
  c.sort_key  AS compiler_key  -- sorts compilers in natural order
FROM look l
JOIN package k USING (package_id)
LEFT JOIN version v USING (version_id)
LEFT JOIN arch a USING (arch_id)
LEFT JOIN compiler c USING (compiler_id)
LEFT JOIN variant_set t USING (variant_set_id);
