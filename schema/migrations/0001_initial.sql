-- The ledger: what a Spack build cache held, and when.
--
-- It rests on three ideas.
--
--   1. Repeated values are written once. A spec is one row in any number of snapshots. Its visible attributes are a
--      "look", which many specs share. Variant sets and stack sets are rows of their own, so the question "the same
--      variants?" compares two integers.
--   2. Presence is an interval. A spec is in a series from one moment until another, and a snapshot in which nothing
--      changed writes no rows.
--   3. A snapshot observes packages. The last state of a package holds until its next observation, so a package's
--      intervals begin and end only at snapshots that observed it.
--
-- Moments are whole seconds since 1970-01-01T00:00:00Z. An interval contains valid_from and not valid_to; valid_to is
-- NULL while the spec is present. A value that the pages do not give is NULL.

------------------------------------------------------------------------------ words of the pages

-- A Spack package, as pages are titled: "zlib".
CREATE TABLE package (
  package_id INTEGER PRIMARY KEY,
  name       TEXT NOT NULL UNIQUE
) STRICT;

-- A version as Spack prints it: "1.3.1", "0.9.0rc3".
CREATE TABLE version (
  version_id INTEGER PRIMARY KEY,
  version    TEXT NOT NULL UNIQUE
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
  spec        TEXT NOT NULL UNIQUE
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
  variant_set_id INTEGER NOT NULL REFERENCES variant_set,
  variant_id     INTEGER NOT NULL REFERENCES variant,
  PRIMARY KEY (variant_set_id, variant_id)
) STRICT, WITHOUT ROWID;

-- A CI environment that specs are built for: "e4s". `root`, the union of all stacks, is a row, too, because pages give
-- it. is_root leaves it out of reports by stack.
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
  stack_set_id INTEGER NOT NULL REFERENCES stack_set,
  stack_id     INTEGER NOT NULL REFERENCES stack,
  PRIMARY KEY (stack_set_id, stack_id)
) STRICT, WITHOUT ROWID;

------------------------------------------------------------------------------ specs

-- All visible attributes of a spec except its hash. Specs with the same look_id look the same. The order of columns in
-- the index serves the questions of drift: does the other snapshot have a spec of this package, of this version, for
-- this target, with these variants, with this compiler?
CREATE TABLE look (
  look_id        INTEGER PRIMARY KEY,
  package_id     INTEGER NOT NULL REFERENCES package,
  version_id     INTEGER REFERENCES version,
  arch_id        INTEGER REFERENCES arch,
  compiler_id    INTEGER REFERENCES compiler,       -- NULL: uses none, or the page does not say
  variant_set_id INTEGER REFERENCES variant_set
) STRICT;

CREATE UNIQUE INDEX look_attributes ON look
  (package_id, version_id, arch_id, variant_set_id, ifnull(compiler_id, 0));

-- One built binary, identified by its DAG hash. A row is written once and never changed, because a hash never changes
-- its meaning. If a page differs from the first reading, that reading stays and the difference is a finding. A hash
-- that two packages claim is two rows and a finding, because nothing here shows which claim is right.
CREATE TABLE spec (
  spec_id INTEGER PRIMARY KEY,
  hash    TEXT NOT NULL CHECK (length(hash) = 32),
  look_id INTEGER NOT NULL REFERENCES look,
  size    TEXT                                      -- pages print "-" so far, which is NULL
) STRICT;

CREATE UNIQUE INDEX spec_hash ON spec (hash, look_id);
CREATE INDEX spec_look ON spec (look_id);

------------------------------------------------------------------------------ snapshots

-- One time line: a mutable tag ("develop"), or all dated tags of one prefix ("develop-*").
CREATE TABLE series (
  series_id INTEGER PRIMARY KEY,
  name      TEXT NOT NULL UNIQUE
) STRICT;

-- The state of one tag at one moment.
CREATE TABLE snapshot (
  snapshot_id  INTEGER PRIMARY KEY,
  series_id    INTEGER NOT NULL REFERENCES series,
  taken_at     INTEGER NOT NULL,
  tag          TEXT NOT NULL,
  name         TEXT NOT NULL UNIQUE,                -- what users type: "develop@2025-03-30T06:00:00Z"
  source       TEXT NOT NULL,                       -- where its pages were read
  observes_all INTEGER NOT NULL CHECK (observes_all IN (0, 1)),
  packages     INTEGER NOT NULL DEFAULT 0,          -- packages with a spec in its state
  specs        INTEGER NOT NULL DEFAULT 0,          -- specs in its state
  UNIQUE (series_id, taken_at)
) STRICT;

-- The exceptions to observes_all: for a whole snapshot (1) the packages whose page could not be read, for a partial
-- snapshot (0) the packages that have a page.
CREATE TABLE observation_exception (
  snapshot_id INTEGER NOT NULL REFERENCES snapshot ON DELETE CASCADE,
  package_id  INTEGER NOT NULL REFERENCES package,
  PRIMARY KEY (snapshot_id, package_id)
) STRICT, WITHOUT ROWID;

-- A spec with its stacks is in a series from valid_from until valid_to. Only this table grows with the history.
-- package_id and look_id follow from spec_id. They are in the key for its order: the rows of a package are together
-- (for ingest, and for queries by package), and within them the rows of a look (for drift), so neither needs another
-- index. package_id, look_id and spec_id have no REFERENCES clause: for each row deleted in those tables SQLite would
-- search this whole table, and forgetting one of thirty snapshots took six seconds. `check` verifies these columns
-- (schema/check/rules/specs.sql).
CREATE TABLE presence (
  series_id    INTEGER NOT NULL REFERENCES series,
  package_id   INTEGER NOT NULL,
  look_id      INTEGER NOT NULL,
  spec_id      INTEGER NOT NULL,
  valid_from   INTEGER NOT NULL,
  valid_to     INTEGER CHECK (valid_to > valid_from),
  stack_set_id INTEGER REFERENCES stack_set,        -- NULL: the page does not say
  PRIMARY KEY (series_id, package_id, look_id, spec_id, valid_from)
) STRICT, WITHOUT ROWID;

CREATE INDEX presence_from ON presence (series_id, valid_from);
CREATE INDEX presence_to ON presence (series_id, valid_to) WHERE valid_to IS NOT NULL;

------------------------------------------------------------------------------ pages and findings

-- One page, identified by its digest: the git blob id of its text, which `git hash-object FILE` prints. A page of 2022
-- has its specs in files beside it (spec-N.json). Its digest is the git tree id of a folder with only the page and
-- these files (mode 100644), so a change in one of them makes another page.
CREATE TABLE page (
  page_id    INTEGER PRIMARY KEY,
  digest     BLOB NOT NULL UNIQUE CHECK (length(digest) = 20),
  package_id INTEGER NOT NULL REFERENCES package,
  tag        TEXT,                                  -- as the page says; NULL before pages had tags
  num_specs  INTEGER NOT NULL                       -- specs that it lists
) STRICT;

-- The page that gave a package's state in a series from valid_from until valid_to, and where it was read.
CREATE TABLE page_presence (
  series_id  INTEGER NOT NULL REFERENCES series,
  package_id INTEGER NOT NULL REFERENCES package,
  valid_from INTEGER NOT NULL,
  valid_to   INTEGER CHECK (valid_to > valid_from),
  page_id    INTEGER NOT NULL REFERENCES page,
  path       TEXT NOT NULL,                         -- below the folder that was given
  PRIMARY KEY (series_id, package_id, valid_from)
) STRICT, WITHOUT ROWID;

CREATE INDEX page_presence_page ON page_presence (page_id);

-- A finding of the ingester. One with page_id is about the text of a page, and holds in each snapshot with that page.
-- One with snapshot_id is about the loading of that snapshot.
CREATE TABLE finding (
  finding_id  INTEGER PRIMARY KEY,
  page_id     INTEGER REFERENCES page ON DELETE CASCADE,
  snapshot_id INTEGER REFERENCES snapshot ON DELETE CASCADE,
  package_id  INTEGER REFERENCES package,
  path        TEXT,
  kind        TEXT NOT NULL,
  detail      TEXT NOT NULL,
  CHECK ((page_id IS NULL) <> (snapshot_id IS NULL))
) STRICT;

CREATE INDEX finding_page ON finding (page_id) WHERE page_id IS NOT NULL;
CREATE INDEX finding_snapshot ON finding (snapshot_id) WHERE snapshot_id IS NOT NULL;

------------------------------------------------------------------------------ statistics

-- Fixed statistics for the query planner, so that plans do not change with the data: the sizes of the public cache, and
-- how many rows share the first 1, 2, ... columns of an index. Without them SQLite prefers an index on moments to the
-- primary keys, although a query uses more columns of the keys.
ANALYZE sqlite_schema;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('snapshot', 'sqlite_autoindex_snapshot_1', '600 1'),
  ('snapshot', 'sqlite_autoindex_snapshot_2', '600 60 1'),
  ('series', 'sqlite_autoindex_series_1', '20 1'),
  ('package', 'sqlite_autoindex_package_1', '1400 1'),
  ('version', 'sqlite_autoindex_version_1', '3000 1'),
  ('arch', 'sqlite_autoindex_arch_1', '50 10 2 1'),
  ('compiler', 'sqlite_autoindex_compiler_1', '100 1'),
  ('variant', 'sqlite_autoindex_variant_1', '3000 3 1'),
  ('variant_set', 'sqlite_autoindex_variant_set_1', '2200 1'),
  ('stack', 'sqlite_autoindex_stack_1', '50 1'),
  ('stack_set', 'sqlite_autoindex_stack_set_1', '500 1'),
  ('look', 'look_attributes', '60000 45 15 5 2 1'),
  ('spec', 'spec_hash', '150000 1 1'),
  ('spec', 'spec_look', '150000 3'),
  ('presence', 'presence', '500000 50000 60 5 2 1'),
  ('presence', 'presence_from', '500000 50000 1000'),
  ('presence', 'presence_to', '300000 30000 1000'),
  ('page', 'sqlite_autoindex_page_1', '50000 1'),
  ('page_presence', 'page_presence', '50000 5000 4 1'),
  ('page_presence', 'page_presence_page', '50000 1'),
  ('stack_set_member', 'stack_set_member', '2000 4 1'),
  ('variant_set_member', 'variant_set_member', '16000 7 1');
