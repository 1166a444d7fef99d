-- What was wanted, and whose change it was: git repositories of packages.
--
-- Such a repository (spack/spack-packages, or one of a site) has a recipe for each package, and for each stack of a cache the
-- list of specs that it should have. The tables are filled by `ingest REPOSITORY`, and do not depend on any snapshot: what
-- was wanted at the moment of a snapshot, and which commits lie between two of them, is asked by their times.

------------------------------------------------------------------------------ commits

-- A package repository, and how far it was read. The next run goes on behind `head`.
CREATE TABLE package_repository (
  package_repository_id INTEGER PRIMARY KEY,
  source                TEXT NOT NULL,               -- where it was read
  head                  BLOB NOT NULL CHECK (length(head) = 20),
  first_at              INTEGER NOT NULL,            -- the time of the first commit that was read
  head_at               INTEGER NOT NULL             -- the time of `head`
) STRICT;

-- A commit that touched a recipe. No names of people are stored. Ids go up in the order of the history.
CREATE TABLE recipe_commit (
  recipe_commit_id      INTEGER PRIMARY KEY,
  package_repository_id INTEGER NOT NULL REFERENCES package_repository (package_repository_id),
  commit_id             BLOB NOT NULL CHECK (length(commit_id) = 20),
  committed_at          INTEGER NOT NULL,
  subject               TEXT NOT NULL                -- the first line of its message, cut; a stranger's text
) STRICT;

-- A package that has, or had, a recipe. It is no row of `package`, which has those that a cache has.
CREATE TABLE recipe_package (
  recipe_package_id INTEGER PRIMARY KEY,
  name              TEXT NOT NULL,                   -- as specs have it: 7zip, not _7zip
  namespace         TEXT NOT NULL,                   -- of the repository: builtin
  UNIQUE (name, namespace)
) STRICT;

-- A commit touched the folder of a package.
CREATE TABLE recipe_change (
  recipe_package_id INTEGER NOT NULL REFERENCES recipe_package (recipe_package_id),
  recipe_commit_id  INTEGER NOT NULL REFERENCES recipe_commit (recipe_commit_id),
  PRIMARY KEY (recipe_package_id, recipe_commit_id)
) STRICT, WITHOUT ROWID;

-- The first commit whose recipe has a version.
CREATE TABLE recipe_version (
  recipe_package_id INTEGER NOT NULL REFERENCES recipe_package (recipe_package_id),
  version           TEXT NOT NULL,
  recipe_commit_id  INTEGER NOT NULL REFERENCES recipe_commit (recipe_commit_id),
  PRIMARY KEY (recipe_package_id, version)
) STRICT, WITHOUT ROWID;

------------------------------------------------------------------------------ wishes

-- The list of one stack in a package repository: a spack.yaml, or a group in it that is named like a stack of its own.
CREATE TABLE wish_list (
  wish_list_id          INTEGER PRIMARY KEY,
  package_repository_id INTEGER NOT NULL REFERENCES package_repository (package_repository_id),
  stack                 TEXT NOT NULL,               -- its name; a cache may have no such stack
  path                  TEXT NOT NULL,               -- of the spack.yaml in the repository
  UNIQUE (stack, path, package_repository_id)
) STRICT;

-- A spec that some list wanted, and what the list requires of builds of its package.
CREATE TABLE wish (
  wish_id    INTEGER PRIMARY KEY,
  package    TEXT,                                   -- NULL: the wish is a hash, or names no package
  spec       TEXT NOT NULL,                          -- as Spack would read it from the list: "py-keras backend=jax"
  conditions TEXT NOT NULL,                          -- JSON (schema/specs/environments/wish.hpp); '[]' for none
  UNIQUE (spec, conditions)
) STRICT;

CREATE INDEX wish_package ON wish (package);

-- A list wanted a spec from valid_from until valid_to: the times of the commits that changed the list.
CREATE TABLE wish_presence (
  wish_list_id INTEGER NOT NULL REFERENCES wish_list (wish_list_id),
  wish_id      INTEGER NOT NULL REFERENCES wish (wish_id),
  spec_group   TEXT NOT NULL,                        -- the group of the list that has it; '' for none
  valid_from   INTEGER NOT NULL,
  valid_to     INTEGER CHECK (valid_to > valid_from),
  PRIMARY KEY (wish_list_id, wish_id, spec_group, valid_from)
) STRICT, WITHOUT ROWID;

-- What could not be read of a list, or not be judged, from valid_from until valid_to.
CREATE TABLE wish_finding (
  package_repository_id INTEGER NOT NULL REFERENCES package_repository (package_repository_id),
  path                  TEXT NOT NULL,
  detail                TEXT NOT NULL,               -- without the line, which other changes move
  line                  INTEGER NOT NULL,            -- where it was at valid_from
  valid_from            INTEGER NOT NULL,
  valid_to              INTEGER CHECK (valid_to > valid_from),
  PRIMARY KEY (package_repository_id, path, detail, valid_from)
) STRICT, WITHOUT ROWID;

-- A spec meets a wish, whether or not a cache has it in the stack of the wish. Spack's rules decide that, which are not SQL:
-- each run of ingest adds what is new (schema/ledger/wishes/judge_wishes.hpp).
CREATE TABLE wish_spec (
  wish_id      INTEGER NOT NULL,
  spec_id      INTEGER NOT NULL,
  is_sure      INTEGER NOT NULL CHECK (is_sure IN (0, 1)),       -- 0: as far as known; no source says enough of the spec
  is_preferred INTEGER NOT NULL CHECK (is_preferred IN (0, 1)),  -- 0: it is not, or may not be, as the list prefers
  PRIMARY KEY (wish_id, spec_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX wish_spec_spec ON wish_spec (spec_id);

-- Which pairs were judged: those of wishes up to wish_id with specs up to spec_id. One row. Where one of the two counts is
-- another one, a spec has dependencies by now that it had not then, or these have other names: all is judged again.
CREATE TABLE wish_judgement (
  wish_judgement_id INTEGER PRIMARY KEY,
  wish_id           INTEGER NOT NULL,
  spec_id           INTEGER NOT NULL,
  nodes             INTEGER NOT NULL,                -- of specs up to spec_id
  edge_kinds        INTEGER NOT NULL                 -- of the ledger
) STRICT;

INSERT INTO wish_judgement VALUES (1, 0, 0, 0, 0);

------------------------------------------------------------------------------ statistics

-- As in 0001_initial.sql: the sizes of spack/spack-packages.
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('recipe_package', 'sqlite_autoindex_recipe_package_1', '9000 1 1'),
  ('recipe_change', 'recipe_change', '200000 20 1'),
  ('recipe_version', 'recipe_version', '60000 7 1'),
  ('wish_list', 'sqlite_autoindex_wish_list_1', '100 1 1 1'),
  ('wish', 'sqlite_autoindex_wish_1', '5000 2 1'),
  ('wish', 'wish_package', '5000 5'),
  ('wish_presence', 'wish_presence', '10000 100 1 1 1'),
  ('wish_finding', 'wish_finding', '100 100 10 1 1'),
  ('wish_spec', 'wish_spec', '500000 100 1'),
  ('wish_spec', 'wish_spec_spec', '500000 4');

ANALYZE sqlite_schema;
