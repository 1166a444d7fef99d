-- Dependencies, and what else only a node of a concrete spec says: an index, a lock file or an install database gives it, a
-- page does not. All of it belongs to the hash: it is written once, and presence varies over time without it.
--
-- A spec that other specs depend on, and that is in no snapshot itself, is a spec without presence.

-- What a snapshot is made from. A series has snapshots of one group of kinds: pages and indexes, or locks, or install
-- databases.
ALTER TABLE snapshot ADD COLUMN kind TEXT NOT NULL DEFAULT 'pages' CHECK (kind IN ('pages', 'index', 'lock', 'install'));

-- What a node says of itself beside its look, its dependencies and its hash. Few nodes differ in it: most specs of a package
-- share a recipe. NULL: the form of the node does not say.
CREATE TABLE recipe (
  recipe_id        INTEGER PRIMARY KEY,
  namespace        TEXT,
  package_hash     TEXT,
  flags            TEXT,              -- compiler flags, "cflags=-O2 -g cxxflags=-O2"; '' for none. Their order matters
  patches          TEXT,              -- 7 digits each, sorted, separated by blanks; '' for none
  external         INTEGER NOT NULL CHECK (external IN (0, 1)),
  external_path    TEXT,              -- NULL: the recipe is not external, or has modules only
  external_modules TEXT               -- separated by blanks, in their order
) STRICT;

CREATE UNIQUE INDEX recipe_attributes ON recipe (
  ifnull(package_hash, ' '), ifnull(namespace, ' '), ifnull(flags, ' '), ifnull(patches, ' '), external,
  ifnull(external_path, ' '), ifnull(external_modules, ' '));

-- The features of a target, sorted, separated by blanks. They are part of the hash, and each version of Spack writes its own
-- list for a target: specs that differ in nothing else have other hashes.
CREATE TABLE target_definition (
  target_definition_id INTEGER PRIMARY KEY,
  features             TEXT NOT NULL UNIQUE
) STRICT;

-- A spec whose dependencies are known. `spec` has its hash, `look` its visible attributes.
--
-- One hash may come in several spellings. What differs between them does not depend on the order of loading: `form` is the
-- oldest; `target_definition_id`, `hash_state` and `digest` are those of the spelling from which the hash can be
-- recomputed, else of the one with the smallest digest.
CREATE TABLE node (
  spec_id              INTEGER PRIMARY KEY REFERENCES spec ON DELETE CASCADE,
  recipe_id            INTEGER NOT NULL REFERENCES recipe,
  form                 INTEGER NOT NULL CHECK (form BETWEEN 1 AND 6),       -- specfile version
  compiler_from        TEXT NOT NULL CHECK (compiler_from IN ('node', 'annotation', 'edge', 'nothing')),
  hash_state           TEXT NOT NULL CHECK (hash_state IN ('recomputed', 'respelled', 'spliced', 'unknowable', 'wrong')),
  target_definition_id INTEGER REFERENCES target_definition,                -- NULL: the target is a name only
  build_hash           TEXT CHECK (length(build_hash) = 32),                -- of a spliced spec: the hash that was built
  provided_virtuals    TEXT,                                                -- sorted, comma separated; NULL before form 6
  digest               BLOB NOT NULL CHECK (length(digest) = 16)            -- of the text of the node
) STRICT;

CREATE INDEX node_recipe ON node (recipe_id);
CREATE INDEX node_build_hash ON node (build_hash) WHERE build_hash IS NOT NULL;

-- How one spec depends on another.
CREATE TABLE edge_kind (
  edge_kind_id INTEGER PRIMARY KEY,
  deptypes     TEXT NOT NULL,         -- sorted, comma separated: "build,link"
  virtuals     TEXT,                  -- sorted, comma separated: "c,cxx"; '' for none; NULL before form 4
  is_build     INTEGER NOT NULL GENERATED ALWAYS AS (',' || deptypes || ',' LIKE '%,build,%') STORED,
  is_link      INTEGER NOT NULL GENERATED ALWAYS AS (',' || deptypes || ',' LIKE '%,link,%') STORED,
  is_run       INTEGER NOT NULL GENERATED ALWAYS AS (',' || deptypes || ',' LIKE '%,run,%') STORED,
  is_test      INTEGER NOT NULL GENERATED ALWAYS AS (',' || deptypes || ',' LIKE '%,test,%') STORED
) STRICT;

CREATE UNIQUE INDEX edge_kind_text ON edge_kind (deptypes, ifnull(virtuals, ' '));

-- One spec depends on another. Both are rows of `spec`, and the first is one of `node`. A dependency that no source described
-- is a spec without a row of `node`, of which only the package and the hash are known. No REFERENCES, as in presence.
CREATE TABLE dependency (
  spec_id       INTEGER NOT NULL,
  dependency_id INTEGER NOT NULL,
  edge_kind_id  INTEGER NOT NULL,
  PRIMARY KEY (spec_id, dependency_id, edge_kind_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX dependency_dependent ON dependency (dependency_id, spec_id);

-- A root of a lock file is in a series from valid_from until valid_to: what a user asked for, in the user's words.
CREATE TABLE root_presence (
  series_id   INTEGER NOT NULL REFERENCES series,
  environment TEXT NOT NULL,          -- '' for the lock itself, else the path of the environment that it includes
  root        TEXT NOT NULL,          -- "hdf5@1.14 +mpi", as the user wrote it
  number      INTEGER NOT NULL,       -- tells roots of one text apart, from 0 on
  spec_id     INTEGER NOT NULL,
  valid_from  INTEGER NOT NULL,
  valid_to    INTEGER CHECK (valid_to > valid_from),
  PRIMARY KEY (series_id, environment, root, number, valid_from)
) STRICT, WITHOUT ROWID;

-- A stack of which a snapshot says nothing, because its index could not be read (--keep-going): each spec is in it if it was
-- so before. If the index of `root` could be read, a spec that it does not have is gone all the same.
CREATE TABLE unobserved_stack (
  snapshot_id INTEGER NOT NULL REFERENCES snapshot ON DELETE CASCADE,
  stack       TEXT NOT NULL,
  has_root    INTEGER NOT NULL CHECK (has_root IN (0, 1)),
  PRIMARY KEY (snapshot_id, stack)
) STRICT, WITHOUT ROWID;

-- Of a table that SQLite takes for smaller than a recursive query (a million rows), it reads all to make a Bloom filter.
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('recipe', 'recipe_attributes', '5000 2 1 1 1 1 1 1'),
  ('node', 'node_recipe', '65000 13'),
  ('edge_kind', 'edge_kind_text', '100 10 1'),
  ('dependency', 'dependency', '2000000 7 1 1'),
  ('dependency', 'dependency_dependent', '2000000 10 1 1'),
  ('root_presence', 'root_presence', '2000 500 100 2 2 1'),
  ('unobserved_stack', 'unobserved_stack', '20 1 1');

-- The planner reads the statistics anew, in the connection that has just written them too.
ANALYZE sqlite_schema;
