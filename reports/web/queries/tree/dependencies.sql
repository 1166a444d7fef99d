-- What a build needs directly, as far as any source gave it. `is_hashed` is 0 for a dependency that is not part of the hash: it may
-- be that of another lock file. `is_here` is 1 where the snapshot :at has the build, `opens` where it needs others.
SELECT
  y.spec_id, y.hash, k.name AS package, v.version, c.spec AS compiler, e.deptypes, e.virtuals,
  i.since <= o.form AS is_hashed,
  r.external,
  EXISTS (
    SELECT 1
    FROM snapshot s
    CROSS JOIN presence p
      ON p.series_id = s.series_id AND p.package_id = l.package_id AND p.look_id = y.look_id AND p.spec_id = y.spec_id
     AND p.valid_from <= s.taken_at AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
    WHERE s.name = :at) AS is_here,
  n.spec_id IS NOT NULL AS is_known,
  EXISTS (SELECT 1 FROM dependency f WHERE f.spec_id = y.spec_id) AS opens
FROM dependency d
CROSS JOIN node o ON o.spec_id = d.spec_id
CROSS JOIN edge_kind e ON e.edge_kind_id = d.edge_kind_id
CROSS JOIN edge_kinds i ON i.edge_kind_id = d.edge_kind_id
CROSS JOIN spec y ON y.spec_id = d.dependency_id
CROSS JOIN look l ON l.look_id = y.look_id
CROSS JOIN package k ON k.package_id = l.package_id
LEFT JOIN version v ON v.version_id = l.version_id
LEFT JOIN compiler c ON c.compiler_id = l.compiler_id
LEFT JOIN node n ON n.spec_id = y.spec_id
LEFT JOIN recipe r ON r.recipe_id = n.recipe_id
WHERE d.spec_id = :spec_id
ORDER BY k.name, v.sort_key DESC, y.hash, e.deptypes;
