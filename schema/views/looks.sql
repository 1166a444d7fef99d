-- One row for each look, in words: all visible attributes of a spec except its hash. ORDER BY version_key and
-- compiler_key gives the natural order.
CREATE VIEW looks AS
SELECT
  l.look_id,
  k.name      AS package,
  v.version,
  a.platform,
  a.os,
  a.target,
  c.spec      AS compiler,
  t.variants,
  v.sort_key  AS version_key,
  c.sort_key  AS compiler_key
FROM look l
JOIN package k USING (package_id)
LEFT JOIN version v USING (version_id)
LEFT JOIN arch a USING (arch_id)
LEFT JOIN compiler c USING (compiler_id)
LEFT JOIN variant_set t USING (variant_set_id);
