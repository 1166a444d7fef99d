-- The ledger: what a Spack build cache held, and when.
--
-- It rests on four ideas.
--
--   1. Repeated values are written once. A spec is one row in any number of snapshots. Its visible attributes are a
--      "look", which many specs share. Variant sets and stack sets are rows of their own, so the question "the same
--      variants?" compares two integers.
--   2. Presence is an interval. A spec is in a series from one moment until another, and a snapshot in which nothing
--      changed writes no rows.
--   3. A snapshot observes packages. The last state of a package holds until its next observation, so a package's
--      intervals begin and end only at snapshots that observed it.
--   4. Dependencies belong to the hash. What a node says beside its look is written once, and only presence varies over
--      time. A spec that others depend on, and that is in no snapshot itself, is a spec without presence.
--
-- Moments are whole seconds since 1970-01-01T00:00:00Z. An interval contains valid_from and not valid_to; valid_to is
-- NULL while the spec is present. A value that the source does not give is NULL.

------------------------------------------------------------------------------ words

-- A Spack package, as pages are titled: "zlib".
CREATE TABLE package (
  package_id INTEGER PRIMARY KEY,
  name       TEXT NOT NULL UNIQUE
) STRICT;

-- A version as Spack prints it: "1.3.1", "0.9.0rc3". ORDER BY sort_key sorts versions like Spack, in any database that
-- compares texts byte by byte (schema/specs/spelling/version_order.hpp); that of compilers does the same.
CREATE TABLE version (
  version_id INTEGER PRIMARY KEY,
  version    TEXT NOT NULL UNIQUE,
  sort_key   TEXT NOT NULL
) STRICT;

-- Where a binary runs: platform "linux", os "ubuntu22.04", target "x86_64_v3".
CREATE TABLE arch (
  arch_id  INTEGER PRIMARY KEY,
  platform TEXT NOT NULL,
  os       TEXT NOT NULL,
  target   TEXT NOT NULL,
  UNIQUE (platform, os, target)
) STRICT;

-- A compiler in canonical spelling: name "gcc", version "13.2.0", spec "gcc@13.2.0". "none" has no row: a spec without
-- a compiler has compiler_id NULL.
CREATE TABLE compiler (
  compiler_id INTEGER PRIMARY KEY,
  name        TEXT NOT NULL,
  version     TEXT,
  spec        TEXT NOT NULL UNIQUE,
  sort_key    TEXT NOT NULL
) STRICT;

-- One value of one variant (build option). A boolean variant has the value 'true' or 'false'. A multi-valued variant
-- has a row for each value. A variant without a value ("k:=*") has the value '*'.
CREATE TABLE variant (
  variant_id INTEGER PRIMARY KEY,
  name       TEXT NOT NULL,
  value      TEXT NOT NULL,
  UNIQUE (name, value)
) STRICT;

-- All variants of a spec. `variants` is their text in Spack's spelling and canonical order, and the key.
CREATE TABLE variant_set (
  variant_set_id INTEGER PRIMARY KEY,
  variants       TEXT NOT NULL UNIQUE
) STRICT;

-- The variants of each set.
CREATE TABLE variant_set_member (
  variant_set_id INTEGER NOT NULL REFERENCES variant_set (variant_set_id),
  variant_id     INTEGER NOT NULL REFERENCES variant (variant_id),
  PRIMARY KEY (variant_set_id, variant_id)
) STRICT, WITHOUT ROWID;

-- A CI environment that specs are built for: "e4s"; or a view of a mirror's index. `root`, the union of all stacks, is a
-- row, too, because pages give it. is_root leaves it out of reports by stack.
CREATE TABLE stack (
  stack_id INTEGER PRIMARY KEY,
  name     TEXT NOT NULL UNIQUE,
  is_root  INTEGER NOT NULL GENERATED ALWAYS AS (name = 'root') STORED
) STRICT;

-- The stacks of one spec, as pages give them and without `root`. Two sets that differ only in `root` are no change: the
-- site added it to every page in 2023.
CREATE TABLE stack_set (
  stack_set_id INTEGER PRIMARY KEY,
  stacks       TEXT NOT NULL UNIQUE,   -- sorted, comma separated
  named_stacks TEXT NOT NULL           -- the same without root
) STRICT;

-- The stacks of each set, `root` included.
CREATE TABLE stack_set_member (
  stack_set_id INTEGER NOT NULL REFERENCES stack_set (stack_set_id),
  stack_id     INTEGER NOT NULL REFERENCES stack (stack_id),
  PRIMARY KEY (stack_set_id, stack_id)
) STRICT, WITHOUT ROWID;

------------------------------------------------------------------------------ specs

-- All visible attributes of a spec except its hash. Specs with the same look_id look the same. The order of columns in
-- the index serves the questions of drift: does the other snapshot have a spec of this package, of this version, for
-- this target, with these variants, with this compiler?
CREATE TABLE look (
  look_id        INTEGER PRIMARY KEY,
  package_id     INTEGER NOT NULL REFERENCES package (package_id),
  version_id     INTEGER REFERENCES version (version_id),
  arch_id        INTEGER REFERENCES arch (arch_id),
  compiler_id    INTEGER REFERENCES compiler (compiler_id),  -- NULL: uses none, or the page does not say
  variant_set_id INTEGER REFERENCES variant_set (variant_set_id)
) STRICT;

CREATE UNIQUE INDEX look_attributes ON look
  (package_id, version_id, arch_id, variant_set_id, ifnull(compiler_id, 0));

-- One built binary, identified by its DAG hash. A row is written once and never changed, because a hash never changes
-- its meaning. If a page differs from the first reading, that reading stays and the difference is a finding. A hash
-- that two packages claim is two rows and a finding, because nothing here shows which claim is right. Reports find the
-- specs of a look in presence, whose key has both.
CREATE TABLE spec (
  spec_id INTEGER PRIMARY KEY,
  hash    TEXT NOT NULL CHECK (length(hash) = 32),
  look_id INTEGER NOT NULL REFERENCES look (look_id),
  size    TEXT                                      -- pages print "-" so far, which is NULL
) STRICT;

CREATE UNIQUE INDEX spec_hash ON spec (hash, look_id);

-- The hashes by which lock files of versions 2 and 3 call specs, where they are not the DAG hash: those of all that a
-- spec was built with. A spec has all that any lock file gave.
CREATE TABLE spec_build_hash (
  spec_build_hash_id INTEGER PRIMARY KEY,
  build_hash         TEXT NOT NULL CHECK (length(build_hash) = 32),
  spec_id            INTEGER NOT NULL,
  UNIQUE (build_hash, spec_id)
) STRICT;

CREATE INDEX spec_build_hash_spec ON spec_build_hash (spec_id);

------------------------------------------------------------------------------ dependencies

-- What a node (a concrete spec in an index, a lock file or an install database) says of itself beside its look, its
-- dependencies and its hash. Few nodes differ in it: most specs of a package share a recipe. NULL: the form of the node
-- does not say.
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

-- The features of a target, sorted, separated by blanks. They are part of the hash, and each version of Spack writes its
-- own list for a target: specs that differ in nothing else have other hashes.
CREATE TABLE target_definition (
  target_definition_id INTEGER PRIMARY KEY,
  features             TEXT NOT NULL UNIQUE
) STRICT;

-- A spec whose dependencies are known. `spec` has its hash, `look` its visible attributes.
--
-- One hash may come in several spellings. What differs between them does not depend on the order of loading: `form` is
-- the oldest; `target_definition_id`, `hash_state` and `digest` are those of the spelling from which the hash can be
-- recomputed, else of the one with the smallest digest.
--
-- `read_again` is 1 if the text of the node says more than is stored, or something that is only found by reading it. Such
-- a text is read each time, so that each snapshot has its findings, and what it lacks can be filled.
CREATE TABLE node (
  spec_id              INTEGER PRIMARY KEY REFERENCES spec (spec_id) ON DELETE CASCADE,
  recipe_id            INTEGER NOT NULL REFERENCES recipe (recipe_id),
  form                 INTEGER NOT NULL CHECK (form BETWEEN 1 AND 6),       -- specfile version
  compiler_from        TEXT NOT NULL CHECK (compiler_from IN ('node', 'annotation', 'edge', 'nothing')),
  hash_state           TEXT NOT NULL CHECK (hash_state IN ('recomputed', 'respelled', 'spliced', 'unknowable', 'wrong')),
  target_definition_id INTEGER REFERENCES target_definition (target_definition_id),  -- NULL: the target is a name only
  build_hash           TEXT CHECK (length(build_hash) = 32),                -- of a spliced spec: the hash that was built
  provided_virtuals    TEXT,                                                -- sorted, comma separated; NULL before form 6
  digest               BLOB NOT NULL CHECK (length(digest) = 16),           -- of the text of the node
  read_again           INTEGER NOT NULL DEFAULT 0 CHECK (read_again IN (0, 1))
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

-- One spec depends on another. Both are rows of `spec`, and the first is one of `node`. A dependency that no source
-- described is a spec without a row of `node`, of which only the package and the hash are known. No REFERENCES, as in
-- presence.
CREATE TABLE dependency (
  spec_id       INTEGER NOT NULL,
  dependency_id INTEGER NOT NULL,
  edge_kind_id  INTEGER NOT NULL,
  PRIMARY KEY (spec_id, dependency_id, edge_kind_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX dependency_dependent ON dependency (dependency_id, spec_id);

------------------------------------------------------------------------------ snapshots

-- One time line: a mutable tag ("develop"), or all dated tags of one prefix ("develop-*"). A series has snapshots of one
-- group of kinds: pages and indexes, or locks, or install databases. `checked_at` says when a run of ingest last looked at
-- what the series is loaded from, whether or not that had changed. It is about the runs, and not about the cache: a run
-- that changes nothing else makes no new state of the ledger (ledger_state).
CREATE TABLE series (
  series_id  INTEGER PRIMARY KEY,
  name       TEXT NOT NULL UNIQUE,
  checked_at INTEGER
) STRICT;

-- The state of one tag at one moment.
CREATE TABLE snapshot (
  snapshot_id  INTEGER PRIMARY KEY,
  series_id    INTEGER NOT NULL REFERENCES series (series_id),
  taken_at     INTEGER NOT NULL,
  tag          TEXT NOT NULL,
  name         TEXT NOT NULL UNIQUE,                -- what users type: "develop@2025-03-30T06:00:00Z"
  kind         TEXT NOT NULL DEFAULT 'pages' CHECK (kind IN ('pages', 'index', 'lock', 'install')),
  source       TEXT NOT NULL,                       -- where its pages or files were read
  observes_all INTEGER NOT NULL CHECK (observes_all IN (0, 1)),
  packages     INTEGER NOT NULL DEFAULT 0,          -- packages with a spec in its state
  specs        INTEGER NOT NULL DEFAULT 0,          -- specs in its state
  UNIQUE (series_id, taken_at)
) STRICT;

-- The exceptions to observes_all: for a whole snapshot (1) the packages whose page could not be read, for a partial
-- snapshot (0) the packages that have a page.
CREATE TABLE observation_exception (
  snapshot_id INTEGER NOT NULL REFERENCES snapshot (snapshot_id) ON DELETE CASCADE,
  package_id  INTEGER NOT NULL REFERENCES package (package_id),
  PRIMARY KEY (snapshot_id, package_id)
) STRICT, WITHOUT ROWID;

-- A stack of which a snapshot says nothing, because its index could not be read (--keep-going): each spec is in it if it
-- was so before. If the index of `root` could be read and has no views beside it, a spec that it does not have is gone
-- all the same.
CREATE TABLE unobserved_stack (
  snapshot_id INTEGER NOT NULL REFERENCES snapshot (snapshot_id) ON DELETE CASCADE,
  stack       TEXT NOT NULL,
  has_root    INTEGER NOT NULL CHECK (has_root IN (0, 1)),
  PRIMARY KEY (snapshot_id, stack)
) STRICT, WITHOUT ROWID;

-- The files that a snapshot was made from, in their order, unless it is one of pages. A state whose files have the same
-- bytes is the same state, and is not read again.
CREATE TABLE snapshot_file (
  snapshot_id INTEGER NOT NULL REFERENCES snapshot (snapshot_id) ON DELETE CASCADE,
  number      INTEGER NOT NULL,       -- from 0 on
  label       TEXT NOT NULL,          -- the stack; '' for none
  size        INTEGER NOT NULL,       -- in bytes, plain or gzip
  sha256      TEXT NOT NULL CHECK (length(sha256) = 64),  -- of these bytes, in hex digits
  rules       INTEGER NOT NULL,       -- by which version of the program's rules it was read: others may read more of it
  PRIMARY KEY (snapshot_id, number)
) STRICT, WITHOUT ROWID;

-- One tag whose pages a commit of a git repository touched, and the snapshot with these pages (ingest --history). The
-- next run skips the commits that are in the ledger: those with as many rows as they touched tags. `path` is the folder
-- of the repository that was loaded, '' for the whole repository, or the file (--tag). Forgetting a snapshot by its name deletes the rows of
-- its own commits, and the next run reads those again. A rule hands the rows over to the next snapshot that stays, and
-- `forgotten` then is the name of the removed one. Those count as loaded, whatever becomes of the snapshot that keeps
-- them.
CREATE TABLE commit_snapshot (
  commit_id    BLOB NOT NULL CHECK (length(commit_id) = 20),
  path         TEXT NOT NULL,
  tag          TEXT NOT NULL,
  snapshot_id  INTEGER NOT NULL REFERENCES snapshot (snapshot_id) ON DELETE CASCADE,
  tags_touched INTEGER NOT NULL,                    -- by the commit
  forgotten    TEXT,                                -- NULL: the commit is the snapshot's own
  PRIMARY KEY (commit_id, path, tag)
) STRICT, WITHOUT ROWID;

CREATE INDEX commit_snapshot_snapshot ON commit_snapshot (snapshot_id);
CREATE INDEX commit_snapshot_forgotten ON commit_snapshot (forgotten) WHERE forgotten IS NOT NULL;

------------------------------------------------------------------------------ presence

-- A spec with its stacks is in a series from valid_from until valid_to. Only this table grows with the history.
-- package_id and look_id follow from spec_id. They are in the key for its order: the rows of a package are together
-- (for ingest, and for queries by package), and within them the rows of a look (for drift), so neither needs another
-- index. package_id, look_id and spec_id have no REFERENCES clause: for each row deleted in those tables SQLite would
-- search this whole table, and forgetting one of thirty snapshots took six seconds. `check` verifies these columns
-- (schema/ledger/check/rules/specs.sql).
--
-- If a spec moves to other stacks, one interval ends and another begins at the same moment. The spec neither went nor
-- came at that moment. `came` and `went` depend only on the intervals that touch their own, so a query finds what came
-- or went at a moment without reading the other intervals of the spec.
CREATE TABLE presence (
  series_id    INTEGER NOT NULL REFERENCES series (series_id),
  package_id   INTEGER NOT NULL,
  look_id      INTEGER NOT NULL,
  spec_id      INTEGER NOT NULL,
  valid_from   INTEGER NOT NULL,
  valid_to     INTEGER CHECK (valid_to > valid_from),
  stack_set_id INTEGER REFERENCES stack_set (stack_set_id),  -- NULL: the page does not say
  came         INTEGER NOT NULL                     -- 0: it was there until valid_from, in other stacks
    CHECK (came IN (0, 1)),
  went         INTEGER NOT NULL                     -- 0: it is there from valid_to on, in other stacks; or still
    CHECK (went IN (0, 1) AND (went = 0 OR valid_to IS NOT NULL)),
  PRIMARY KEY (series_id, package_id, look_id, spec_id, valid_from)
) STRICT, WITHOUT ROWID;

-- The columns after came and went are those of the key, which SQLite would add, and stack_set_id, so that a query of what came and
-- went in a time, and in which stacks, reads the index alone.
CREATE INDEX presence_from ON presence (series_id, valid_from, came, package_id, look_id, spec_id, stack_set_id);
CREATE INDEX presence_to ON presence (series_id, valid_to, went, package_id, look_id, spec_id, stack_set_id)
  WHERE valid_to IS NOT NULL;

-- A root of a lock file is in a series from valid_from until valid_to: what a user asked for, in the user's words.
CREATE TABLE root_presence (
  series_id   INTEGER NOT NULL REFERENCES series (series_id),
  environment TEXT NOT NULL,          -- '' for the lock itself, else the path of the environment that it includes
  root        TEXT NOT NULL,          -- "hdf5@1.14 +mpi", as the user wrote it
  number      INTEGER NOT NULL,       -- tells roots of one text apart, from 0 on
  spec_id     INTEGER NOT NULL,
  valid_from  INTEGER NOT NULL,
  valid_to    INTEGER CHECK (valid_to > valid_from),
  PRIMARY KEY (series_id, environment, root, number, valid_from)
) STRICT, WITHOUT ROWID;

------------------------------------------------------------------------------ pages and findings

-- One page, identified by its digest: the git blob id of its text, which `git hash-object FILE` prints. A page of 2022
-- has its specs in files beside it (spec-N.json). Its digest is the git tree id of a folder with only the page and
-- these files (mode 100644), so a change in one of them makes another page.
CREATE TABLE page (
  page_id    INTEGER PRIMARY KEY,
  digest     BLOB NOT NULL UNIQUE CHECK (length(digest) = 20),
  package_id INTEGER NOT NULL REFERENCES package (package_id),
  tag        TEXT,                                  -- as the page says; NULL before pages had tags
  num_specs  INTEGER NOT NULL                       -- specs that it lists
) STRICT;

-- The page that gave a package's state in a series from valid_from until valid_to, and where it was read.
CREATE TABLE page_presence (
  series_id  INTEGER NOT NULL REFERENCES series (series_id),
  package_id INTEGER NOT NULL REFERENCES package (package_id),
  valid_from INTEGER NOT NULL,
  valid_to   INTEGER CHECK (valid_to > valid_from),
  page_id    INTEGER NOT NULL REFERENCES page (page_id),
  path       TEXT NOT NULL,                         -- below the folder that was given
  PRIMARY KEY (series_id, package_id, valid_from)
) STRICT, WITHOUT ROWID;

CREATE INDEX page_presence_page ON page_presence (page_id);

-- A finding of the ingester. One with page_id is about the text of a page, and holds in each snapshot with that page.
-- One with snapshot_id is about the loading of that snapshot.
CREATE TABLE finding (
  finding_id  INTEGER PRIMARY KEY,
  page_id     INTEGER REFERENCES page (page_id) ON DELETE CASCADE,
  snapshot_id INTEGER REFERENCES snapshot (snapshot_id) ON DELETE CASCADE,
  package_id  INTEGER REFERENCES package (package_id),
  path        TEXT,
  kind        TEXT NOT NULL,
  detail      TEXT NOT NULL,
  CHECK ((page_id IS NULL) <> (snapshot_id IS NULL))
) STRICT;

CREATE INDEX finding_page ON finding (page_id) WHERE page_id IS NOT NULL;
CREATE INDEX finding_snapshot ON finding (snapshot_id) WHERE snapshot_id IS NOT NULL;

------------------------------------------------------------------------------ the file

-- The states that this file was in: one row for the empty ledger, and one for each transaction that changed it. A file is
-- an earlier state of this ledger, or a copy of one, if the newest of its tokens is here. `backup` and `publish` replace
-- only such. Files that parted have other tokens, since these are random. The first one is the identity of the ledger.
-- Rows are never deleted or changed.
CREATE TABLE ledger_state (
  state_id INTEGER PRIMARY KEY,
  token    TEXT NOT NULL UNIQUE DEFAULT (lower(hex(randomblob(16)))) CHECK (length(token) = 32)
) STRICT;

INSERT INTO ledger_state DEFAULT VALUES;

------------------------------------------------------------------------------ statistics

-- Fixed statistics for the query planner, so that plans do not change with the data: the sizes of the public cache, and
-- how many rows share the first 1, 2, ... columns of an index. Without them SQLite prefers an index on moments to the
-- primary keys, although a query uses more columns of the keys. Of a table that SQLite takes for smaller than a recursive
-- query (a million rows), it reads all to make a Bloom filter.
ANALYZE sqlite_schema;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('package', 'sqlite_autoindex_package_1', '1400 1'),
  ('version', 'sqlite_autoindex_version_1', '3000 1'),
  ('arch', 'sqlite_autoindex_arch_1', '50 10 2 1'),
  ('compiler', 'sqlite_autoindex_compiler_1', '100 1'),
  ('variant', 'sqlite_autoindex_variant_1', '3000 3 1'),
  ('variant_set', 'sqlite_autoindex_variant_set_1', '2200 1'),
  ('variant_set_member', 'variant_set_member', '16000 7 1'),
  ('stack', 'sqlite_autoindex_stack_1', '50 1'),
  ('stack_set', 'sqlite_autoindex_stack_set_1', '500 1'),
  ('stack_set_member', 'stack_set_member', '2000 4 1'),
  ('look', 'look_attributes', '60000 45 15 5 2 1'),
  ('spec', 'spec_hash', '150000 1 1'),
  ('spec_build_hash', 'sqlite_autoindex_spec_build_hash_1', '2000 1 1'),
  ('spec_build_hash', 'spec_build_hash_spec', '2000 2'),
  ('recipe', 'recipe_attributes', '5000 2 1 1 1 1 1 1'),
  ('node', 'node_recipe', '65000 13'),
  ('edge_kind', 'edge_kind_text', '100 10 1'),
  ('dependency', 'dependency', '2000000 7 1 1'),
  ('dependency', 'dependency_dependent', '2000000 10 1 1'),
  ('series', 'sqlite_autoindex_series_1', '20 1'),
  ('snapshot', 'sqlite_autoindex_snapshot_1', '600 1'),
  ('snapshot', 'sqlite_autoindex_snapshot_2', '600 60 1'),
  ('unobserved_stack', 'unobserved_stack', '20 1 1'),
  ('snapshot_file', 'snapshot_file', '2000 20 1'),
  ('presence', 'presence', '500000 50000 60 5 2 1'),
  ('presence', 'presence_from', '500000 50000 1000 900 20 5 1 1'),
  ('presence', 'presence_to', '300000 30000 1000 900 20 5 1 1'),
  ('root_presence', 'root_presence', '2000 500 100 2 2 1'),
  ('page', 'sqlite_autoindex_page_1', '50000 1'),
  ('page_presence', 'page_presence', '50000 5000 4 1'),
  ('page_presence', 'page_presence_page', '50000 1'),
  ('ledger_state', 'sqlite_autoindex_ledger_state_1', '1000 1');

-- Makes the planner of this connection read them.
ANALYZE sqlite_schema;
