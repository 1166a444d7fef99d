-- The hashes by which people and files name specs: the DAG hash of each, and the build hashes of old lock files.
CREATE VIEW hash_names AS
SELECT hash AS name, spec_id FROM spec
UNION ALL
SELECT build_hash, spec_id FROM spec_build_hash;
