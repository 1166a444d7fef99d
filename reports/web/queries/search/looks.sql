-- The looks of the packages that match a pattern. :with_variants is 0 where nothing is asked of the variants, which are most of the text.
SELECT
  l.look_id, v.version, a.platform, a.os, a.target, c.spec AS compiler, CASE WHEN :with_variants THEN t.variants END AS variants
FROM package k
CROSS JOIN look l USING (package_id)
LEFT JOIN version v USING (version_id)
LEFT JOIN arch a USING (arch_id)
LEFT JOIN compiler c USING (compiler_id)
LEFT JOIN variant_set t USING (variant_set_id)
WHERE k.name GLOB :package;
