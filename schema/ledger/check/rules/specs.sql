-- A package has one spec with a hash. A size is not '-', which pages print for
-- NULL. No two looks are equal. A look has a version, a system and variants, or, if only its package is known, nothing. The spec
-- of each presence row exists, and look_id and package_id of the row are those of the spec.
SELECT 'spec: ' || x.hash || ' is there twice for ' || k.name AS problem
FROM spec x
JOIN look l USING (look_id)
JOIN package k USING (package_id)
WHERE x.hash IN (SELECT hash FROM spec GROUP BY hash HAVING count(*) > 1)  -- few
GROUP BY x.hash, k.name
HAVING count(*) > 1
UNION ALL
SELECT 'presence: ' || ifnull(x.hash, 'spec ' || p.spec_id) ||
  CASE WHEN x.spec_id IS NULL THEN ' is not there'
       ELSE ' lies with another look or package than its own' END
FROM presence p
LEFT JOIN spec x USING (spec_id)
LEFT JOIN look l ON l.look_id = x.look_id
WHERE x.spec_id IS NULL OR p.look_id <> x.look_id OR p.package_id IS NOT l.package_id
UNION ALL
SELECT 'spec: ' || hash || ' has the size ''-'', expected NULL'
FROM spec
WHERE size = '-'
UNION ALL
SELECT 'look: ' || k.name || ' has ' || count(*) || ' that are alike, with the ids ' || group_concat(l.look_id, ', ')
FROM look l
JOIN package k USING (package_id)
GROUP BY l.package_id, l.version_id, l.arch_id, l.variant_set_id, ifnull(l.compiler_id, 0)
HAVING count(*) > 1
UNION ALL
SELECT 'look: ' || l.look_id || ' of ' || k.name || ' has no ' || CASE WHEN l.version_id IS NULL THEN 'version'
    WHEN l.arch_id IS NULL THEN 'platform, os and target' ELSE 'variants' END || ', and has others of its attributes'
FROM look l
JOIN package k USING (package_id)
WHERE (l.version_id IS NULL OR l.arch_id IS NULL OR l.variant_set_id IS NULL)
  AND coalesce(l.version_id, l.arch_id, l.variant_set_id, l.compiler_id) IS NOT NULL;
