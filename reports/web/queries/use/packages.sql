-- The packages whose builds of the snapshot :at are for the target :target, or have the compiler :compiler; the other one is NULL.
-- The looks are found first, and then the key of presence is asked for each.
SELECT k.name AS package, count(DISTINCT l.version_id) AS versions, count(*) AS builds
FROM snapshot s
CROSS JOIN look l
CROSS JOIN presence p
  ON p.series_id = s.series_id AND p.package_id = l.package_id AND p.look_id = l.look_id
 AND +p.valid_from <= s.taken_at AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
CROSS JOIN package k ON k.package_id = l.package_id
WHERE s.name = :at
  AND (l.arch_id IN (SELECT arch_id FROM arch WHERE target = :target)
    OR l.compiler_id IN (SELECT compiler_id FROM compiler WHERE spec = :compiler))
GROUP BY k.name
ORDER BY k.name;
