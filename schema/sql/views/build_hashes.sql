-- One row for each spec that a lock file of version 2 or 3 calls by another hash than its own: by the hash of the spec with all
-- that it was built with. Several of these may stand for one spec.
CREATE VIEW build_hashes AS
SELECT
  b.build_hash,     -- as the lock file has it
  k.name AS package,
  x.hash            -- the DAG hash, 32 characters
FROM spec_build_hash b
JOIN spec x ON x.spec_id = b.spec_id
JOIN look l ON l.look_id = x.look_id
JOIN package k ON k.package_id = l.package_id;
