-- One row for each dependency of each spec whose dependencies are known, whether the spec is in a snapshot or only another
-- one needs it. What a spec from before Spack 0.18 was built and tested with is not here: it is not part of the hash, and
-- differs between lock files. The view varying_dependencies has it. Test dependencies became part of the hash with Spack 1.0:
-- before, a spec has those here that any source gave. deptypes and virtuals are sorted and separated by commas. virtuals is
-- NULL where no source said which virtual packages the dependency provides, and '' where it provides none.
CREATE VIEW dependencies AS
SELECT
  k.name AS package,          -- the package of the spec that depends
  x.hash,                     -- the spec that depends
  c.name AS dependency,       -- the package that it needs
  y.hash AS dependency_hash,  -- the spec that it needs
  CAST(CASE
    WHEN n.form >= 3 THEN e.deptypes
    ELSE substr(
      CASE WHEN e.is_link = 1 THEN ',link' ELSE '' END || CASE WHEN e.is_run = 1 THEN ',run' ELSE '' END, 2)
  END AS TEXT) AS deptypes,   -- sorted: build,link
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
WHERE n.form >= 3 OR e.is_link = 1 OR e.is_run = 1;
