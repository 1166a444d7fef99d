-- With which compilers, for which systems: the builds of the snapshot :at that are for the target :target, or have the compiler
-- :compiler; the other one is NULL.
SELECT a.platform, a.os, a.target, c.spec AS compiler, count(DISTINCT l.package_id) AS packages, count(*) AS builds
FROM snapshot s
CROSS JOIN look l
CROSS JOIN presence p
  ON p.series_id = s.series_id AND p.package_id = l.package_id AND p.look_id = l.look_id
 AND +p.valid_from <= s.taken_at AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
LEFT JOIN arch a ON a.arch_id = l.arch_id
LEFT JOIN compiler c ON c.compiler_id = l.compiler_id
WHERE s.name = :at
  AND (l.arch_id IN (SELECT arch_id FROM arch WHERE target = :target)
    OR l.compiler_id IN (SELECT compiler_id FROM compiler WHERE spec = :compiler))
GROUP BY a.arch_id, c.compiler_id
ORDER BY builds DESC, a.platform, a.os, a.target, c.sort_key;
