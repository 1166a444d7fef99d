-- What needs a build directly, in the columns of dependencies.sql; the builds that the snapshot :at has come first.
SELECT
  x.spec_id, x.hash, k.name AS package, v.version, c.spec AS compiler, e.deptypes, e.virtuals,
  i.since <= n.form AS is_hashed,
  r.external,
  EXISTS (
    SELECT 1
    FROM snapshot s
    CROSS JOIN presence p
      ON p.series_id = s.series_id AND p.package_id = l.package_id AND p.look_id = x.look_id AND p.spec_id = x.spec_id
     AND p.valid_from <= s.taken_at AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
    WHERE s.name = :at) AS is_here,
  1 AS is_known,
  EXISTS (SELECT 1 FROM dependency f WHERE f.dependency_id = x.spec_id) AS opens
FROM dependency d
CROSS JOIN node n ON n.spec_id = d.spec_id
CROSS JOIN edge_kind e ON e.edge_kind_id = d.edge_kind_id
CROSS JOIN edge_kinds i ON i.edge_kind_id = d.edge_kind_id
CROSS JOIN spec x ON x.spec_id = d.spec_id
CROSS JOIN look l ON l.look_id = x.look_id
CROSS JOIN package k ON k.package_id = l.package_id
LEFT JOIN version v ON v.version_id = l.version_id
LEFT JOIN compiler c ON c.compiler_id = l.compiler_id
LEFT JOIN recipe r ON r.recipe_id = n.recipe_id
WHERE d.dependency_id = :spec_id
ORDER BY is_here DESC, k.name, v.sort_key DESC, x.hash, e.deptypes;
