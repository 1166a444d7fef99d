-- What the specs of a package in a snapshot depend on, where that is known.
SELECT DISTINCT
  d.dependency, y.version, d.deptypes, d.virtuals, d.dependency_hash
FROM specs s
JOIN dependencies d ON d.hash = s.hash
JOIN spec x ON x.hash = d.dependency_hash
JOIN looks y ON y.look_id = x.look_id
WHERE s.snapshot = :at AND s.package = :package
ORDER BY d.dependency, y.version_key DESC, d.deptypes, d.dependency_hash;
