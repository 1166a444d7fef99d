-- The compiler that Spack's table of renamed compilers calls intel-oneapi-compiler-classic is the package
-- intel-oneapi-compilers-classic. A ledger may have it under both names: the new one takes the place of the other, and looks that
-- become equal become one.
CREATE TEMP TABLE renamed_compiler AS
SELECT c.old_id, c.spec, n.compiler_id AS new_id  -- NULL: no row has the new name
FROM (
  SELECT
    compiler_id AS old_id,
    'intel-oneapi-compilers-classic' || CASE WHEN version IS NULL THEN '' ELSE '@' || version END AS spec
  FROM compiler
  WHERE name = 'intel-oneapi-compiler-classic') c
LEFT JOIN compiler n ON n.spec = c.spec;
CREATE TEMP TABLE merged_look AS
SELECT o.look_id AS old_id, n.look_id AS new_id
FROM temp.renamed_compiler c
JOIN look o ON o.compiler_id = c.old_id
JOIN look n
  ON n.compiler_id = c.new_id
 AND n.package_id = o.package_id
 AND n.version_id IS o.version_id
 AND n.arch_id IS o.arch_id
 AND n.variant_set_id IS o.variant_set_id;
UPDATE spec
SET look_id = (SELECT m.new_id FROM temp.merged_look m WHERE m.old_id = look_id)
WHERE look_id IN (SELECT old_id FROM temp.merged_look);
UPDATE presence
SET look_id = (SELECT m.new_id FROM temp.merged_look m WHERE m.old_id = look_id)
WHERE look_id IN (SELECT old_id FROM temp.merged_look);
DELETE FROM look WHERE look_id IN (SELECT old_id FROM temp.merged_look);
UPDATE look
SET compiler_id = (SELECT c.new_id FROM temp.renamed_compiler c WHERE c.old_id = compiler_id)
WHERE compiler_id IN (SELECT old_id FROM temp.renamed_compiler WHERE new_id IS NOT NULL);
DELETE FROM compiler WHERE compiler_id IN (SELECT old_id FROM temp.renamed_compiler WHERE new_id IS NOT NULL);
UPDATE compiler
SET name = 'intel-oneapi-compilers-classic',
    spec = (SELECT c.spec FROM temp.renamed_compiler c WHERE c.old_id = compiler_id)
WHERE compiler_id IN (SELECT old_id FROM temp.renamed_compiler);
DROP TABLE temp.renamed_compiler;
DROP TABLE temp.merged_look;

-- The hashes by which lock files of versions 2 and 3 call specs, where they are not the DAG hash: those of all that a spec was
-- built with. A spec has all that any lock file gave.
CREATE TABLE spec_build_hash (
  spec_build_hash_id INTEGER PRIMARY KEY,
  build_hash         TEXT NOT NULL CHECK (length(build_hash) = 32),
  spec_id            INTEGER NOT NULL,
  UNIQUE (build_hash, spec_id)
) STRICT;

CREATE INDEX spec_build_hash_spec ON spec_build_hash (spec_id);

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('spec_build_hash', 'sqlite_autoindex_spec_build_hash_1', '2000 1 1'),
  ('spec_build_hash', 'spec_build_hash_spec', '2000 2');
ANALYZE sqlite_schema;

-- A node with edges that are not part of its hash (build before form 3, test before form 5) has those of all texts. So each text
-- of it is read.
UPDATE node SET read_again = 1
WHERE form < 5
  AND read_again = 0
  AND EXISTS (
    SELECT 1
    FROM dependency d
    JOIN edge_kind e USING (edge_kind_id)
    WHERE d.spec_id = node.spec_id AND (e.is_test = 1 OR (e.is_build = 1 AND node.form < 3)));
