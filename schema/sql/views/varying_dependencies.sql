-- One row for each dependency with which a spec from before Spack 0.18 was built or tested. It is not part of the hash, and may
-- differ between two lock files that have the same spec: a hash has all here that any source gave, also several builds of one
-- package. The view dependencies has the others.
CREATE VIEW varying_dependencies AS
SELECT
  k.name AS package,          -- the package of the spec that depends
  x.hash,                     -- the spec that depends
  c.name AS dependency,       -- the package that it needs
  y.hash AS dependency_hash,  -- the spec that it needs
  CAST(substr(
    CASE WHEN e.is_build = 1 THEN ',build' ELSE '' END || CASE WHEN e.is_test = 1 THEN ',test' ELSE '' END, 2) AS TEXT) AS deptypes,  -- sorted: build,test
  e.virtuals                  -- sorted: c,cxx; '' for none; NULL: not known
FROM dependency d
JOIN node n ON n.spec_id = d.spec_id
JOIN spec x ON x.spec_id = d.spec_id
JOIN look l ON l.look_id = x.look_id
JOIN package k ON k.package_id = l.package_id
JOIN spec y ON y.spec_id = d.dependency_id
JOIN look m ON m.look_id = y.look_id
JOIN package c ON c.package_id = m.package_id
JOIN edge_kind e ON e.edge_kind_id = d.edge_kind_id
WHERE n.form < 3 AND (e.is_build = 1 OR e.is_test = 1);
