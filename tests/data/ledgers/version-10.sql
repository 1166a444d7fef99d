PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE package (
  package_id INTEGER PRIMARY KEY,
  name       TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO package VALUES(1,'hwloc');
INSERT INTO package VALUES(2,'patchelf');
INSERT INTO package VALUES(3,'zlib');
CREATE TABLE version (
  version_id INTEGER PRIMARY KEY,
  version    TEXT NOT NULL UNIQUE
, sort_key TEXT NOT NULL DEFAULT '') STRICT;
INSERT INTO version VALUES(1,'2.9.1','A2A9A1!3!2.9.1');
INSERT INTO version VALUES(2,'0.17.2','A0B17A2!3!0.17.2');
INSERT INTO version VALUES(3,'1.3.1','A1A3A1!3!1.3.1');
INSERT INTO version VALUES(4,'1.2.13','A1A2B13!3!1.2.13');
INSERT INTO version VALUES(5,'2.11.1','A2B11A1!3!2.11.1');
CREATE TABLE arch (
  arch_id  INTEGER PRIMARY KEY,
  platform TEXT NOT NULL,
  os       TEXT NOT NULL,
  target   TEXT NOT NULL,
  UNIQUE (platform, os, target)
) STRICT;
INSERT INTO arch VALUES(1,'linux','ubuntu24.04','x86_64_v3');
INSERT INTO arch VALUES(2,'linux','ubuntu24.04','zen4');
INSERT INTO arch VALUES(3,'linux','centos7','x86_64_v3');
CREATE TABLE compiler (
  compiler_id INTEGER PRIMARY KEY,
  name        TEXT NOT NULL,
  version     TEXT,
  spec        TEXT NOT NULL UNIQUE
, sort_key TEXT NOT NULL DEFAULT '') STRICT;
INSERT INTO compiler VALUES(1,'gcc','13.2.0','gcc@13.2.0','gcc!B13A2A0!3!13.2.0');
INSERT INTO compiler VALUES(2,'intel-oneapi-compilers','2024.2.1','intel-oneapi-compilers@2024.2.1','intel-oneapi-compilers!D2024A2A1!3!2024.2.1');
CREATE TABLE variant (
  variant_id INTEGER PRIMARY KEY,
  name       TEXT NOT NULL,
  value      TEXT NOT NULL,
  UNIQUE (name, value)
) STRICT;
INSERT INTO variant VALUES(1,'build_system','autotools');
INSERT INTO variant VALUES(2,'cuda','false');
INSERT INTO variant VALUES(3,'libs','shared');
INSERT INTO variant VALUES(4,'libs','static');
INSERT INTO variant VALUES(5,'patches','7415b81');
INSERT INTO variant VALUES(6,'build_system','makefile');
INSERT INTO variant VALUES(7,'pic','true');
CREATE TABLE variant_set (
  variant_set_id INTEGER PRIMARY KEY,
  variants       TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO variant_set VALUES(1,'build_system=autotools ~cuda libs=shared,static');
INSERT INTO variant_set VALUES(2,'build_system=autotools patches=7415b81');
INSERT INTO variant_set VALUES(3,'build_system=makefile +pic');
CREATE TABLE variant_set_member (
  variant_set_id INTEGER NOT NULL REFERENCES variant_set,
  variant_id     INTEGER NOT NULL REFERENCES variant,
  PRIMARY KEY (variant_set_id, variant_id)
) STRICT, WITHOUT ROWID;
INSERT INTO variant_set_member VALUES(1,1);
INSERT INTO variant_set_member VALUES(1,2);
INSERT INTO variant_set_member VALUES(1,3);
INSERT INTO variant_set_member VALUES(1,4);
INSERT INTO variant_set_member VALUES(2,1);
INSERT INTO variant_set_member VALUES(2,5);
INSERT INTO variant_set_member VALUES(3,6);
INSERT INTO variant_set_member VALUES(3,7);
CREATE TABLE stack (
  stack_id INTEGER PRIMARY KEY,
  name     TEXT NOT NULL UNIQUE,
  is_root  INTEGER NOT NULL GENERATED ALWAYS AS (name = 'root') STORED
) STRICT;
INSERT INTO stack VALUES(1,'e4s');
INSERT INTO stack VALUES(3,'ml');
INSERT INTO stack VALUES(2,'root');
CREATE TABLE stack_set (
  stack_set_id INTEGER PRIMARY KEY,
  stacks       TEXT NOT NULL UNIQUE,   -- sorted, comma separated
  named_stacks TEXT NOT NULL           -- the same without root
) STRICT;
INSERT INTO stack_set VALUES(1,'e4s,root','e4s');
INSERT INTO stack_set VALUES(2,'e4s,ml,root','e4s,ml');
CREATE TABLE stack_set_member (
  stack_set_id INTEGER NOT NULL REFERENCES stack_set,
  stack_id     INTEGER NOT NULL REFERENCES stack,
  PRIMARY KEY (stack_set_id, stack_id)
) STRICT, WITHOUT ROWID;
INSERT INTO stack_set_member VALUES(1,1);
INSERT INTO stack_set_member VALUES(1,2);
INSERT INTO stack_set_member VALUES(2,1);
INSERT INTO stack_set_member VALUES(2,2);
INSERT INTO stack_set_member VALUES(2,3);
CREATE TABLE look (
  look_id        INTEGER PRIMARY KEY,
  package_id     INTEGER NOT NULL REFERENCES package,
  version_id     INTEGER REFERENCES version,
  arch_id        INTEGER REFERENCES arch,
  compiler_id    INTEGER REFERENCES compiler,       -- NULL: uses none, or the page does not say
  variant_set_id INTEGER REFERENCES variant_set
) STRICT;
INSERT INTO look VALUES(1,1,1,1,1,1);
INSERT INTO look VALUES(2,2,2,1,NULL,2);
INSERT INTO look VALUES(3,3,3,1,1,3);
INSERT INTO look VALUES(4,3,4,1,1,3);
INSERT INTO look VALUES(5,3,3,2,1,3);
INSERT INTO look VALUES(6,3,3,1,2,3);
INSERT INTO look VALUES(7,1,5,1,1,1);
INSERT INTO look VALUES(8,3,3,3,1,3);
CREATE TABLE spec (
  spec_id INTEGER PRIMARY KEY,
  hash    TEXT NOT NULL CHECK (length(hash) = 32),
  look_id INTEGER NOT NULL REFERENCES look,
  size    TEXT                                      -- pages print "-" so far, which is NULL
) STRICT;
INSERT INTO spec VALUES(1,'hwlocbaaaaaaaaaaaaaaaaaaaaaaaaaa',1,NULL);
INSERT INTO spec VALUES(2,'patchelfbaaaaaaaaaaaaaaaaaaaaaaa',2,NULL);
INSERT INTO spec VALUES(3,'zlibbaaaaaaaaaaaaaaaaaaaaaaaaaaa',3,NULL);
INSERT INTO spec VALUES(4,'zlibcaaaaaaaaaaaaaaaaaaaaaaaaaaa',4,NULL);
INSERT INTO spec VALUES(5,'zlibdaaaaaaaaaaaaaaaaaaaaaaaaaaa',5,NULL);
INSERT INTO spec VALUES(6,'zlibeaaaaaaaaaaaaaaaaaaaaaaaaaaa',6,NULL);
INSERT INTO spec VALUES(7,'hwloccaaaaaaaaaaaaaaaaaaaaaaaaaa',7,NULL);
INSERT INTO spec VALUES(8,'zlibfaaaaaaaaaaaaaaaaaaaaaaaaaaa',8,NULL);
CREATE TABLE series (
  series_id INTEGER PRIMARY KEY,
  name      TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO series VALUES(1,'develop');
INSERT INTO series VALUES(2,'develop-*');
INSERT INTO series VALUES(3,'v1.0');
CREATE TABLE snapshot (
  snapshot_id  INTEGER PRIMARY KEY,
  series_id    INTEGER NOT NULL REFERENCES series,
  taken_at     INTEGER NOT NULL,
  tag          TEXT NOT NULL,
  name         TEXT NOT NULL UNIQUE,                -- what users type: "develop@2025-03-30T06:00:00Z"
  source       TEXT NOT NULL,                       -- where its pages were read
  observes_all INTEGER NOT NULL CHECK (observes_all IN (0, 1)),
  packages     INTEGER NOT NULL DEFAULT 0,          -- packages with a spec in its state
  specs        INTEGER NOT NULL DEFAULT 0, kind TEXT NOT NULL DEFAULT 'pages' CHECK (kind IN ('pages', 'index', 'lock', 'install')),          -- specs in its state
  UNIQUE (series_id, taken_at)
) STRICT;
INSERT INTO snapshot VALUES(1,1,1740787200,'develop','develop@2025-03-01T00:00:00Z','pages/march',1,3,5,'pages');
INSERT INTO snapshot VALUES(2,1,1743465600,'develop','develop@2025-04-01T00:00:00Z','pages/april',1,2,4,'pages');
INSERT INTO snapshot VALUES(3,1,1746057600,'develop','develop@2025-05-01T00:00:00Z','pages/may',0,2,5,'pages');
INSERT INTO snapshot VALUES(4,2,1742688000,'develop-2025-03-23','develop-2025-03-23','pages/dated',1,1,1,'pages');
INSERT INTO snapshot VALUES(5,2,1743292800,'develop-2025-03-30','develop-2025-03-30','pages/dated',1,1,2,'pages');
INSERT INTO snapshot VALUES(6,3,1738368000,'v1.0','v1.0@2025-02-01T00:00:00Z','repository@44b102811808628624dc8d91ec02f2a02b650b88',1,1,1,'pages');
INSERT INTO snapshot VALUES(7,3,1738972800,'v1.0','v1.0@2025-02-08T00:00:00Z','repository@5821c88123b8fcc5e0799e21ec4a90bff618a6d9',1,1,2,'pages');
CREATE TABLE observation_exception (
  snapshot_id INTEGER NOT NULL REFERENCES snapshot ON DELETE CASCADE,
  package_id  INTEGER NOT NULL REFERENCES package,
  PRIMARY KEY (snapshot_id, package_id)
) STRICT, WITHOUT ROWID;
INSERT INTO observation_exception VALUES(3,1);
CREATE TABLE page (
  page_id    INTEGER PRIMARY KEY,
  digest     BLOB NOT NULL UNIQUE CHECK (length(digest) = 20),
  package_id INTEGER NOT NULL REFERENCES package,
  tag        TEXT,                                  -- as the page says; NULL before pages had tags
  num_specs  INTEGER NOT NULL                       -- specs that it lists
) STRICT;
INSERT INTO page VALUES(1,X'de7d45aa3713b614c0b9f0a9a7f25fa86923e5fc',1,'develop',1);
INSERT INTO page VALUES(2,X'3803b382e012ca3ca896712f2ce7437ab0d43b2e',2,'develop',1);
INSERT INTO page VALUES(3,X'faa9bfd51d1f8ab318c12d9708d832819067adae',3,'develop',3);
INSERT INTO page VALUES(4,X'13ecfa6e97d61d231f91358387a40a8226a6795e',1,'develop',1);
INSERT INTO page VALUES(5,X'3bde58e18d7f1850d1e781fcac5533f62e095007',3,'develop',3);
INSERT INTO page VALUES(6,X'8a307a4424baaec1f8bd669656e8533412e7092a',1,'develop',2);
INSERT INTO page VALUES(7,X'0b91c37d05cbd32548badf4cdbccd79cef7f35ee',3,'develop-2025-03-23',1);
INSERT INTO page VALUES(8,X'f7c9ddfd0aea450690b5c3fa36418ad9c6d63eef',3,'develop-2025-03-30',2);
INSERT INTO page VALUES(9,X'a360e23aae64bcb8c7d755988b4508f86416c9f1',3,'v1.0',1);
INSERT INTO page VALUES(10,X'9d49cf765b2ca86a43d955b435b9eb30ffebf5f8',3,'v1.0',2);
CREATE TABLE page_presence (
  series_id  INTEGER NOT NULL REFERENCES series,
  package_id INTEGER NOT NULL REFERENCES package,
  valid_from INTEGER NOT NULL,
  valid_to   INTEGER CHECK (valid_to > valid_from),
  page_id    INTEGER NOT NULL REFERENCES page,
  path       TEXT NOT NULL,                         -- below the folder that was given
  PRIMARY KEY (series_id, package_id, valid_from)
) STRICT, WITHOUT ROWID;
INSERT INTO page_presence VALUES(1,1,1740787200,1743465600,1,'hwloc.md');
INSERT INTO page_presence VALUES(1,1,1743465600,1746057600,4,'hwloc.md');
INSERT INTO page_presence VALUES(1,1,1746057600,NULL,6,'hwloc.md');
INSERT INTO page_presence VALUES(1,2,1740787200,1743465600,2,'patchelf.md');
INSERT INTO page_presence VALUES(1,3,1740787200,1743465600,3,'zlib.md');
INSERT INTO page_presence VALUES(1,3,1743465600,NULL,5,'zlib.md');
INSERT INTO page_presence VALUES(2,3,1742688000,1743292800,7,'23/zlib.md');
INSERT INTO page_presence VALUES(2,3,1743292800,NULL,8,'30/zlib.md');
INSERT INTO page_presence VALUES(3,3,1738368000,1738972800,9,'zlib.md');
INSERT INTO page_presence VALUES(3,3,1738972800,NULL,10,'zlib.md');
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
INSERT INTO finding VALUES(1,3,NULL,3,NULL,'meta-mismatch','num_specs: meta says 4, spec_details has 3');
ANALYZE sqlite_schema;
INSERT INTO sqlite_stat1 VALUES('snapshot','sqlite_autoindex_snapshot_1','600 1');
INSERT INTO sqlite_stat1 VALUES('snapshot','sqlite_autoindex_snapshot_2','600 60 1');
INSERT INTO sqlite_stat1 VALUES('series','sqlite_autoindex_series_1','20 1');
INSERT INTO sqlite_stat1 VALUES('package','sqlite_autoindex_package_1','1400 1');
INSERT INTO sqlite_stat1 VALUES('version','sqlite_autoindex_version_1','3000 1');
INSERT INTO sqlite_stat1 VALUES('arch','sqlite_autoindex_arch_1','50 10 2 1');
INSERT INTO sqlite_stat1 VALUES('compiler','sqlite_autoindex_compiler_1','100 1');
INSERT INTO sqlite_stat1 VALUES('variant','sqlite_autoindex_variant_1','3000 3 1');
INSERT INTO sqlite_stat1 VALUES('variant_set','sqlite_autoindex_variant_set_1','2200 1');
INSERT INTO sqlite_stat1 VALUES('stack','sqlite_autoindex_stack_1','50 1');
INSERT INTO sqlite_stat1 VALUES('stack_set','sqlite_autoindex_stack_set_1','500 1');
INSERT INTO sqlite_stat1 VALUES('page','sqlite_autoindex_page_1','50000 1');
INSERT INTO sqlite_stat1 VALUES('page_presence','page_presence','50000 5000 4 1');
INSERT INTO sqlite_stat1 VALUES('stack_set_member','stack_set_member','2000 4 1');
INSERT INTO sqlite_stat1 VALUES('variant_set_member','variant_set_member','16000 7 1');
INSERT INTO sqlite_stat1 VALUES('presence','presence','500000 50000 60 5 2 1');
INSERT INTO sqlite_stat1 VALUES('recipe','recipe_attributes','5000 2 1 1 1 1 1 1');
INSERT INTO sqlite_stat1 VALUES('node','node_recipe','65000 13');
INSERT INTO sqlite_stat1 VALUES('edge_kind','edge_kind_text','100 10 1');
INSERT INTO sqlite_stat1 VALUES('dependency','dependency','2000000 7 1 1');
INSERT INTO sqlite_stat1 VALUES('dependency','dependency_dependent','2000000 10 1 1');
INSERT INTO sqlite_stat1 VALUES('root_presence','root_presence','2000 500 100 2 2 1');
INSERT INTO sqlite_stat1 VALUES('unobserved_stack','unobserved_stack','20 1 1');
INSERT INTO sqlite_stat1 VALUES('snapshot_file','snapshot_file','2000 20 1');
INSERT INTO sqlite_stat1 VALUES('changed_range','changed_range','10000 1000 1 1');
INSERT INTO sqlite_stat1 VALUES('spec_build_hash','sqlite_autoindex_spec_build_hash_1','2000 1 1');
INSERT INTO sqlite_stat1 VALUES('spec_build_hash','spec_build_hash_spec','2000 2');
INSERT INTO sqlite_stat1 VALUES('look','look_attributes','60000 45 15 5 2 1');
INSERT INTO sqlite_stat1 VALUES('spec','spec_hash','150000 1 1');
INSERT INTO sqlite_stat1 VALUES('presence','presence_from','500000 50000 1000 900');
INSERT INTO sqlite_stat1 VALUES('presence','presence_to','300000 30000 1000 900');
INSERT INTO sqlite_stat1 VALUES('page_presence','page_presence_page','50000 1');
CREATE TABLE commit_snapshot (
  commit_id    BLOB NOT NULL CHECK (length(commit_id) = 20),
  path         TEXT NOT NULL,
  tag          TEXT NOT NULL,
  snapshot_id  INTEGER NOT NULL REFERENCES snapshot ON DELETE CASCADE,
  tags_touched INTEGER NOT NULL, forgotten TEXT,                    -- by the commit
  PRIMARY KEY (commit_id, path, tag)
) STRICT, WITHOUT ROWID;
INSERT INTO commit_snapshot VALUES(X'44b102811808628624dc8d91ec02f2a02b650b88','','v1.0',6,1,NULL);
INSERT INTO commit_snapshot VALUES(X'5821c88123b8fcc5e0799e21ec4a90bff618a6d9','','v1.0',7,1,NULL);
CREATE TABLE presence (
  series_id    INTEGER NOT NULL REFERENCES series,
  package_id   INTEGER NOT NULL,
  look_id      INTEGER NOT NULL,
  spec_id      INTEGER NOT NULL,
  valid_from   INTEGER NOT NULL,
  valid_to     INTEGER CHECK (valid_to > valid_from),
  stack_set_id INTEGER REFERENCES stack_set,        -- NULL: the page does not say
  came         INTEGER NOT NULL                     -- 0: it was there until valid_from, in other stacks
    CHECK (came IN (0, 1)),
  went         INTEGER NOT NULL                     -- 0: it is there from valid_to on, in other stacks; or still
    CHECK (went IN (0, 1) AND (went = 0 OR valid_to IS NOT NULL)),
  PRIMARY KEY (series_id, package_id, look_id, spec_id, valid_from)
) STRICT, WITHOUT ROWID;
INSERT INTO presence VALUES(1,1,1,1,1740787200,NULL,1,1,0);
INSERT INTO presence VALUES(1,1,7,7,1746057600,NULL,1,1,0);
INSERT INTO presence VALUES(1,2,2,2,1740787200,1743465600,1,1,1);
INSERT INTO presence VALUES(1,3,3,3,1740787200,NULL,1,1,0);
INSERT INTO presence VALUES(1,3,4,4,1740787200,1743465600,1,1,1);
INSERT INTO presence VALUES(1,3,5,5,1740787200,1743465600,2,1,0);
INSERT INTO presence VALUES(1,3,5,5,1743465600,NULL,1,0,0);
INSERT INTO presence VALUES(1,3,6,6,1743465600,NULL,1,1,0);
INSERT INTO presence VALUES(2,3,3,3,1742688000,NULL,1,1,0);
INSERT INTO presence VALUES(2,3,4,4,1743292800,NULL,1,1,0);
INSERT INTO presence VALUES(3,3,3,3,1738368000,NULL,1,1,0);
INSERT INTO presence VALUES(3,3,8,8,1738972800,NULL,1,1,0);
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
CREATE TABLE target_definition (
  target_definition_id INTEGER PRIMARY KEY,
  features             TEXT NOT NULL UNIQUE
) STRICT;
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
, read_again INTEGER NOT NULL DEFAULT 0 CHECK (read_again IN (0, 1))) STRICT;
CREATE TABLE edge_kind (
  edge_kind_id INTEGER PRIMARY KEY,
  deptypes     TEXT NOT NULL,         -- sorted, comma separated: "build,link"
  virtuals     TEXT,                  -- sorted, comma separated: "c,cxx"; '' for none; NULL before form 4
  is_build     INTEGER NOT NULL GENERATED ALWAYS AS (',' || deptypes || ',' LIKE '%,build,%') STORED,
  is_link      INTEGER NOT NULL GENERATED ALWAYS AS (',' || deptypes || ',' LIKE '%,link,%') STORED,
  is_run       INTEGER NOT NULL GENERATED ALWAYS AS (',' || deptypes || ',' LIKE '%,run,%') STORED,
  is_test      INTEGER NOT NULL GENERATED ALWAYS AS (',' || deptypes || ',' LIKE '%,test,%') STORED
) STRICT;
CREATE TABLE dependency (
  spec_id       INTEGER NOT NULL,
  dependency_id INTEGER NOT NULL,
  edge_kind_id  INTEGER NOT NULL,
  PRIMARY KEY (spec_id, dependency_id, edge_kind_id)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE unobserved_stack (
  snapshot_id INTEGER NOT NULL REFERENCES snapshot ON DELETE CASCADE,
  stack       TEXT NOT NULL,
  has_root    INTEGER NOT NULL CHECK (has_root IN (0, 1)),
  PRIMARY KEY (snapshot_id, stack)
) STRICT, WITHOUT ROWID;
CREATE TABLE snapshot_file (
  snapshot_id INTEGER NOT NULL REFERENCES snapshot ON DELETE CASCADE,
  number      INTEGER NOT NULL,       -- from 0 on
  label       TEXT NOT NULL,          -- the stack; '' for none
  size        INTEGER NOT NULL,       -- in bytes, plain or gzip
  sha256      TEXT NOT NULL CHECK (length(sha256) = 64),  -- of these bytes, in hex digits
  rules       INTEGER NOT NULL,       -- by which version of the program's rules it was read: others may read more of it
  PRIMARY KEY (snapshot_id, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE ledger_identity (
  ledger_id TEXT NOT NULL CHECK (length(ledger_id) = 32)    -- random
) STRICT;
INSERT INTO ledger_identity VALUES('7e6e0e1155ebe9e637bcd9bc6bb6baa4');
CREATE TABLE written (
  written_id INTEGER PRIMARY KEY,
  token      TEXT NOT NULL DEFAULT (lower(hex(randomblob(8)))),  -- random: two files that parted have others
  what       TEXT NOT NULL                          -- 'replaced': removed, and written anew if there is a later row
    CHECK (what IN ('written', 'replaced', 'forgotten', 'filled')),
  series_id  INTEGER,                               -- that the series had: it may be another's since
  taken_at   INTEGER,
  snapshot   TEXT,                                  -- its name; NULL of 'filled': other rows changed, and no snapshot
  CHECK ((what = 'filled') = (snapshot IS NULL))
) STRICT;
INSERT INTO written VALUES(1,'6a7ae0c17ab732d4','written',1,1740787200,'develop@2025-03-01T00:00:00Z');
INSERT INTO written VALUES(2,'70d0e8f6890b730b','written',1,1743465600,'develop@2025-04-01T00:00:00Z');
INSERT INTO written VALUES(3,'913741a96f1e5037','written',1,1746057600,'develop@2025-05-01T00:00:00Z');
INSERT INTO written VALUES(4,'790566f6f7ae4abc','written',2,1742688000,'develop-2025-03-23');
INSERT INTO written VALUES(5,'77d0c84562890f8a','written',2,1743292800,'develop-2025-03-30');
INSERT INTO written VALUES(6,'f7d33c22ca4ae1ea','written',3,1738368000,'v1.0@2025-02-01T00:00:00Z');
INSERT INTO written VALUES(7,'62165602d6cb85e5','written',3,1738972800,'v1.0@2025-02-08T00:00:00Z');
CREATE TABLE changed_range (
  table_name TEXT NOT NULL,
  last_id    INTEGER NOT NULL,                      -- first in the key: the greatest id ever is found at once
  first_id   INTEGER NOT NULL,
  written_id INTEGER NOT NULL,                      -- the newest row of `written` when they changed last; 0 before any
  PRIMARY KEY (table_name, last_id, first_id)
) STRICT, WITHOUT ROWID;
INSERT INTO changed_range VALUES('snapshot',1,1,1);
INSERT INTO changed_range VALUES('snapshot',2,2,2);
INSERT INTO changed_range VALUES('snapshot',3,3,3);
INSERT INTO changed_range VALUES('snapshot',5,4,5);
INSERT INTO changed_range VALUES('snapshot',6,6,6);
INSERT INTO changed_range VALUES('snapshot',7,6,7);
INSERT INTO changed_range VALUES('snapshot',7,7,7);
CREATE TABLE spec_build_hash (
  spec_build_hash_id INTEGER PRIMARY KEY,
  build_hash         TEXT NOT NULL CHECK (length(build_hash) = 32),
  spec_id            INTEGER NOT NULL,
  UNIQUE (build_hash, spec_id)
) STRICT;
CREATE INDEX finding_page ON finding (page_id) WHERE page_id IS NOT NULL;
CREATE INDEX finding_snapshot ON finding (snapshot_id) WHERE snapshot_id IS NOT NULL;
CREATE INDEX commit_snapshot_snapshot ON commit_snapshot (snapshot_id);
CREATE UNIQUE INDEX recipe_attributes ON recipe (
  ifnull(package_hash, ' '), ifnull(namespace, ' '), ifnull(flags, ' '), ifnull(patches, ' '), external,
  ifnull(external_path, ' '), ifnull(external_modules, ' '));
CREATE INDEX node_recipe ON node (recipe_id);
CREATE INDEX node_build_hash ON node (build_hash) WHERE build_hash IS NOT NULL;
CREATE UNIQUE INDEX edge_kind_text ON edge_kind (deptypes, ifnull(virtuals, ' '));
CREATE INDEX dependency_dependent ON dependency (dependency_id, spec_id);
CREATE INDEX commit_snapshot_forgotten ON commit_snapshot (forgotten) WHERE forgotten IS NOT NULL;
CREATE INDEX spec_build_hash_spec ON spec_build_hash (spec_id);
CREATE VIEW edge_kinds AS
SELECT
  edge_kind_id,
  deptypes,
  virtuals,
  is_link,
  is_run,
  CASE WHEN is_link = 1 OR is_run = 1 THEN 1 WHEN is_build = 1 THEN 3 ELSE 5 END AS since
FROM edge_kind;
CREATE VIEW hash_names AS
SELECT hash AS name, spec_id FROM spec
UNION ALL
SELECT build_hash, spec_id FROM spec_build_hash;
CREATE VIEW observations AS
SELECT
  s.snapshot_id,
  s.series_id,
  s.taken_at,
  k.package_id
FROM snapshot s
CROSS JOIN package k
WHERE (s.observes_all = 1) <> EXISTS (
  SELECT 1 FROM observation_exception e
  WHERE e.snapshot_id = s.snapshot_id AND e.package_id = k.package_id);
CREATE VIEW present_specs AS
SELECT
  s.snapshot_id,
  s.name   AS snapshot,
  k.name   AS package,
  k.package_id,
  p.look_id,
  p.spec_id,
  p.stack_set_id
FROM snapshot s
CROSS JOIN package k
CROSS JOIN presence p
  ON p.series_id = s.series_id
 AND p.package_id = k.package_id
 AND p.valid_from <= s.taken_at
 AND (p.valid_to IS NULL OR p.valid_to > s.taken_at);
CREATE VIEW look_groups AS
SELECT n.look_id AS none_id, l.look_id, o.look_id AS other_id
FROM look n
JOIN look l
  ON l.package_id = n.package_id
 AND l.version_id IS NOT DISTINCT FROM n.version_id
 AND l.arch_id IS NOT DISTINCT FROM n.arch_id
 AND l.variant_set_id IS NOT DISTINCT FROM n.variant_set_id
JOIN look o
  ON o.package_id = n.package_id
 AND o.version_id IS NOT DISTINCT FROM n.version_id
 AND o.arch_id IS NOT DISTINCT FROM n.arch_id
 AND o.variant_set_id IS NOT DISTINCT FROM n.variant_set_id
WHERE n.compiler_id IS NULL
  AND o.look_id <> l.look_id;
CREATE VIEW stack_set_stacks AS
SELECT
  m.stack_set_id,
  t.name AS stack
FROM stack_set_member m
JOIN stack t USING (stack_id)
UNION ALL
SELECT
  stack_set_id,
  '(no stack)'
FROM stack_set
WHERE named_stacks = '';
CREATE VIEW stack_moves AS
SELECT
  a.name AS from_snapshot,
  b.name AS to_snapshot,
  e.package_id,
  e.look_id,
  e.spec_id,
  CASE WHEN a.taken_at < b.taken_at THEN p.stack_set_id ELSE q.stack_set_id END AS before_id,
  CASE WHEN a.taken_at < b.taken_at THEN q.stack_set_id ELSE p.stack_set_id END AS after_id
FROM snapshot a
CROSS JOIN snapshot b
CROSS JOIN presence e
  ON e.series_id = a.series_id
 AND e.valid_to > min(a.taken_at, b.taken_at)
 AND e.valid_to <= max(a.taken_at, b.taken_at)
 AND e.valid_from <= min(a.taken_at, b.taken_at)
CROSS JOIN presence q
  ON q.series_id = e.series_id
 AND q.package_id = e.package_id
 AND q.look_id = e.look_id
 AND q.spec_id = e.spec_id
 AND q.valid_from <= max(a.taken_at, b.taken_at)
 AND (q.valid_to IS NULL OR q.valid_to > max(a.taken_at, b.taken_at))
CROSS JOIN presence p
  ON p.series_id = e.series_id
 AND p.package_id = e.package_id
 AND p.look_id = e.look_id
 AND p.spec_id = e.spec_id
 AND p.valid_from = e.valid_from
WHERE a.series_id = b.series_id
  AND p.stack_set_id <> q.stack_set_id
UNION ALL
SELECT
  a.name, b.name, p.package_id, p.look_id, p.spec_id, p.stack_set_id, q.stack_set_id
FROM snapshot a
CROSS JOIN snapshot b
CROSS JOIN presence p
  ON p.series_id = CASE WHEN a.series_id <> b.series_id THEN a.series_id END
 AND +p.valid_from <= a.taken_at
 AND (p.valid_to IS NULL OR p.valid_to > a.taken_at)
CROSS JOIN presence q
  ON q.series_id = b.series_id
 AND q.package_id = p.package_id
 AND q.look_id = p.look_id
 AND q.spec_id = p.spec_id
 AND q.valid_from <= b.taken_at
 AND (q.valid_to IS NULL OR q.valid_to > b.taken_at)
WHERE a.series_id <> b.series_id
  AND p.stack_set_id <> q.stack_set_id;
CREATE VIEW spec_distances AS
SELECT
  w.spec_id                                                    AS wanted_id,
  h.spec_id,
  h.hash,
  CASE WHEN wa.platform <> ha.platform OR wa.os <> ha.os THEN 1 ELSE 0 END AS system,
  CASE WHEN wa.target <> ha.target THEN 1 ELSE 0 END           AS target,
  CASE WHEN wl.version_id <> hl.version_id THEN 1 ELSE 0 END   AS version,
  -- Two sets of variants differ in the values that only one of them has. `patches` counts below. Old pages and nodes do not
  -- have `build_system`: it counts only if both sets have it.
  CASE WHEN wl.variant_set_id <> hl.variant_set_id THEN (
    SELECT count(DISTINCT v.name)
    FROM (
      SELECT m.variant_id
      FROM variant_set_member m
      WHERE m.variant_set_id IN (wl.variant_set_id, hl.variant_set_id)
      GROUP BY m.variant_id
      HAVING count(*) = 1) c
    JOIN variant v ON v.variant_id = c.variant_id
    WHERE v.name <> 'patches'
      AND (v.name <> 'build_system' OR 2 = (
        SELECT count(DISTINCT m.variant_set_id)
        FROM variant_set_member m
        JOIN variant b ON b.variant_id = m.variant_id
        WHERE m.variant_set_id IN (wl.variant_set_id, hl.variant_set_id)
          AND b.name = 'build_system')))
  ELSE 0 END                                                   AS variants,
  CASE WHEN wl.compiler_id <> hl.compiler_id THEN 1 ELSE 0 END AS compiler,
  CASE WHEN wr.flags <> hr.flags
    OR coalesce(wr.patches, CASE WHEN wl.variant_set_id IS NOT NULL THEN coalesce((
        SELECT group_concat(p.value, ' ')
        FROM (
          SELECT v.value
          FROM variant_set_member m
          JOIN variant v ON v.variant_id = m.variant_id
          WHERE m.variant_set_id = wl.variant_set_id AND v.name = 'patches'
          ORDER BY v.value) p), '') END)
      <> coalesce(hr.patches, CASE WHEN hl.variant_set_id IS NOT NULL THEN coalesce((
        SELECT group_concat(p.value, ' ')
        FROM (
          SELECT v.value
          FROM variant_set_member m
          JOIN variant v ON v.variant_id = m.variant_id
          WHERE m.variant_set_id = hl.variant_set_id AND v.name = 'patches'
          ORDER BY v.value) p), '') END)
    THEN 1 ELSE 0 END                                          AS flags_or_patches,
  CASE WHEN wr.package_hash <> hr.package_hash THEN 1 ELSE 0 END AS recipe
FROM spec w
JOIN look wl ON wl.look_id = w.look_id
JOIN look hl ON hl.package_id = wl.package_id
JOIN spec h ON h.look_id = hl.look_id
LEFT JOIN arch wa ON wa.arch_id = wl.arch_id
LEFT JOIN arch ha ON ha.arch_id = hl.arch_id
LEFT JOIN node wn ON wn.spec_id = w.spec_id
LEFT JOIN node hn ON hn.spec_id = h.spec_id
LEFT JOIN recipe wr ON wr.recipe_id = wn.recipe_id
LEFT JOIN recipe hr ON hr.recipe_id = hn.recipe_id
;
CREATE VIEW spec_sizes AS
SELECT
  spec_id,
  CASE WHEN NOT glob('*[^0-9]*', size) AND length(size) BETWEEN 1 AND 13 THEN CAST(size AS BIGINT) END AS bytes
FROM spec;
CREATE VIEW asked_looks AS
SELECT look_id, package_id, version_id, arch_id, compiler_id, variant_set_id
FROM look;
CREATE VIEW snapshots AS
SELECT
  s.snapshot_id,                                                        -- the id of the snapshot, in this ledger only
  s.name,                                                               -- what users type: develop@2025-03-30T06:00:00Z
  s.tag,                                                                -- as the pages say: develop, develop-2025-03-30
  r.name                                                 AS series,     -- the time line: a tag, or its dated tags (develop-*)
  strftime('%Y-%m-%dT%H:%M:%SZ', s.taken_at, 'unixepoch') AS taken_at,  -- the moment, in UTC: 2025-03-30T06:00:00Z
  s.source,                                                             -- where it was read
  s.packages,                                                           -- how many packages have a spec
  s.specs,                                                              -- how many specs there are
  CASE s.observes_all WHEN 1 THEN 'whole' ELSE 'partial' END AS extent,  -- 'whole', or 'partial': of some packages only
  s.kind                                                                -- 'pages', 'index', 'lock' or 'install'
FROM snapshot s
JOIN series r USING (series_id)
;
CREATE VIEW looks AS
SELECT
  l.look_id,                   -- the id of the look, in this ledger only
  k.name      AS package,      -- the name of the package
  v.version,                   -- as Spack prints it: 1.3.1
  a.platform,                  -- linux, darwin, ...
  a.os,                        -- the operating system: ubuntu22.04
  a.target,                    -- the processor family: x86_64_v3
  c.spec      AS compiler,     -- gcc@13.2.0; NULL: none
  t.variants,                  -- in Spack's spelling and canonical order, separated by blanks
  v.sort_key  AS version_key,  -- sorts versions in natural order
  c.sort_key  AS compiler_key  -- sorts compilers in natural order
FROM look l
JOIN package k USING (package_id)
LEFT JOIN version v USING (version_id)
LEFT JOIN arch a USING (arch_id)
LEFT JOIN compiler c USING (compiler_id)
LEFT JOIN variant_set t USING (variant_set_id)
;
CREATE VIEW specs AS
SELECT
  s.snapshot_id,
  s.name                                                 AS snapshot,   -- the name of the snapshot
  s.tag,
  strftime('%Y-%m-%dT%H:%M:%SZ', s.taken_at, 'unixepoch') AS taken_at,
  k.name                                                 AS package,
  v.version,
  x.hash,                                                               -- the DAG hash, 32 characters
  c.spec                                                 AS compiler,
  c.name                                                 AS compiler_name,  -- the compiler without its version: gcc
  c.version                                              AS compiler_version,  -- its version: 13.2.0
  a.os,
  a.platform,
  a.target,
  t.variants,
  g.stacks,                                                             -- sorted, separated by commas; NULL: not known
  x.size,                                                               -- the text of a page, or the bytes that a mirror gives
  v.sort_key                                             AS version_key,
  c.sort_key                                             AS compiler_key,
  o.namespace,                                                          -- of the recipe, such as builtin
  o.package_hash,                                                       -- the hash of the recipe
  o.external,                                                           -- 1: not built by Spack; 0: built
  o.external_path,                                                      -- where an external one is
  n.build_hash,                                                         -- of a spliced spec: the hash that was built
  CASE WHEN n.spec_id IS NULL THEN 0 ELSE 1 END          AS knows_dependencies  -- 1: its dependencies are known; 0: not
FROM snapshot s
JOIN presence p
  ON p.series_id = s.series_id
 AND +p.valid_from <= s.taken_at
 AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
JOIN package k ON k.package_id = p.package_id
JOIN spec x ON x.spec_id = p.spec_id AND x.look_id = p.look_id
JOIN look l ON l.look_id = p.look_id AND l.package_id = p.package_id
LEFT JOIN version v ON v.version_id = l.version_id
LEFT JOIN arch a ON a.arch_id = l.arch_id
LEFT JOIN compiler c ON c.compiler_id = l.compiler_id
LEFT JOIN variant_set t ON t.variant_set_id = l.variant_set_id
LEFT JOIN stack_set g ON g.stack_set_id = p.stack_set_id
LEFT JOIN node n ON n.spec_id = p.spec_id
LEFT JOIN recipe o ON o.recipe_id = n.recipe_id
;
CREATE VIEW latest_specs AS
SELECT *
FROM specs
WHERE snapshot_id = (
  SELECT snapshot_id
  FROM snapshot
  WHERE kind IN ('pages', 'index')
  ORDER BY taken_at DESC, tag <> 'develop', name
  LIMIT 1);
CREATE VIEW spec_stacks AS
SELECT
  s.snapshot_id,
  s.name  AS snapshot,
  k.name  AS package,
  x.hash,
  t.name  AS stack  -- one of its stacks, or root
FROM snapshot s
JOIN presence p
  ON p.series_id = s.series_id
 AND +p.valid_from <= s.taken_at
 AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
JOIN package k ON k.package_id = p.package_id
JOIN spec x ON x.spec_id = p.spec_id AND x.look_id = p.look_id
JOIN look l ON l.look_id = p.look_id AND l.package_id = p.package_id
JOIN stack_set_member m ON m.stack_set_id = p.stack_set_id
JOIN stack t ON t.stack_id = m.stack_id
;
CREATE VIEW spec_variants AS
SELECT
  x.hash,
  k.name  AS package,
  v.name,  -- the option: shared, cuda_arch
  v.value  -- true, false, or one of its values
FROM spec x
JOIN look l ON l.look_id = x.look_id
JOIN package k ON k.package_id = l.package_id
JOIN variant_set_member m ON m.variant_set_id = l.variant_set_id
JOIN variant v ON v.variant_id = m.variant_id
;
CREATE VIEW changes AS
SELECT
  s.snapshot_id,
  s.name                                                 AS snapshot,
  r.name                                                 AS series,
  strftime('%Y-%m-%dT%H:%M:%SZ', s.taken_at, 'unixepoch') AS taken_at,
  k.name                                                 AS package,
  x.hash,
  CASE p.came WHEN 1 THEN 'added' ELSE 'stacks' END      AS change  -- 'added', 'removed', 'stacks'
FROM snapshot s
JOIN series r ON r.series_id = s.series_id
JOIN presence p ON p.series_id = s.series_id AND p.valid_from = s.taken_at
LEFT JOIN presence before
  ON p.came = 0
 AND before.series_id = p.series_id
 AND before.package_id = p.package_id
 AND before.look_id = p.look_id
 AND before.spec_id = p.spec_id
 AND before.valid_to = p.valid_from
LEFT JOIN stack_set now ON now.stack_set_id = p.stack_set_id
LEFT JOIN stack_set earlier ON earlier.stack_set_id = before.stack_set_id
JOIN package k ON k.package_id = p.package_id
JOIN spec x ON x.spec_id = p.spec_id
WHERE now.named_stacks <> earlier.named_stacks
   OR (p.came = 1
       AND (NOT EXISTS (
              SELECT 1 FROM snapshot o
              WHERE o.series_id = s.series_id AND o.taken_at < s.taken_at)
            OR EXISTS (
              SELECT 1 FROM observations o
              WHERE o.series_id = s.series_id AND o.package_id = p.package_id
                AND o.taken_at < s.taken_at)))
UNION ALL
SELECT
  s.snapshot_id,
  s.name,
  r.name,
  strftime('%Y-%m-%dT%H:%M:%SZ', s.taken_at, 'unixepoch'),
  k.name,
  x.hash,
  'removed'
FROM snapshot s
JOIN series r ON r.series_id = s.series_id
JOIN presence p ON p.series_id = s.series_id AND p.valid_to = s.taken_at AND p.went = 1
JOIN package k ON k.package_id = p.package_id
JOIN spec x ON x.spec_id = p.spec_id
;
CREATE VIEW pages AS
SELECT
  s.snapshot_id,
  s.name               AS snapshot,
  k.name               AS package,
  p.path,                          -- below the snapshot's source
  lower(hex(g.digest)) AS digest,  -- the git blob id of the page
  g.num_specs                      -- how many specs it lists
FROM snapshot s
JOIN page_presence p
  ON p.series_id = s.series_id
 AND +p.valid_from <= s.taken_at
 AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
JOIN package k ON k.package_id = p.package_id
JOIN page g ON g.page_id = p.page_id
WHERE s.kind = 'pages'
  AND (s.observes_all = 1) <> EXISTS (
    SELECT 1 FROM observation_exception e
    WHERE e.snapshot_id = s.snapshot_id AND e.package_id = p.package_id)
;
CREATE VIEW findings AS
SELECT
  s.snapshot_id,
  s.name  AS snapshot,
  k.name  AS package,
  p.path,   -- the file that it is about
  f.kind,   -- its kind: meta-mismatch, page-unreadable
  f.detail  -- what was noticed, in words
FROM finding f
JOIN page_presence p ON p.page_id = f.page_id
JOIN snapshot s
  ON s.series_id = p.series_id
 AND s.taken_at >= p.valid_from
 AND (p.valid_to IS NULL OR s.taken_at < p.valid_to)
JOIN package k ON k.package_id = p.package_id
WHERE f.page_id IS NOT NULL
  AND (s.observes_all = 1) <> EXISTS (
    SELECT 1 FROM observation_exception e
    WHERE e.snapshot_id = s.snapshot_id AND e.package_id = p.package_id)
UNION ALL
SELECT
  s.snapshot_id,
  s.name,
  k.name,
  f.path,
  f.kind,
  f.detail
FROM finding f
JOIN snapshot s ON s.snapshot_id = f.snapshot_id
LEFT JOIN package k ON k.package_id = f.package_id
;
CREATE VIEW dependencies AS
SELECT
  k.name AS package,          -- the package of the spec that depends
  x.hash,                     -- the spec that depends
  c.name AS dependency,       -- the package that it needs
  y.hash AS dependency_hash,  -- the spec that it needs
  CASE
    WHEN n.form >= 3 THEN e.deptypes
    ELSE substr(
      CASE WHEN e.is_link = 1 THEN ',link' ELSE '' END || CASE WHEN e.is_run = 1 THEN ',run' ELSE '' END, 2)
  END AS deptypes,            -- sorted: build,link
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
WHERE n.form >= 3 OR e.is_link = 1 OR e.is_run = 1
;
CREATE VIEW varying_dependencies AS
SELECT
  k.name AS package,          -- the package of the spec that depends
  x.hash,                     -- the spec that depends
  c.name AS dependency,       -- the package that it needs
  y.hash AS dependency_hash,  -- the spec that it needs
  substr(
    CASE WHEN e.is_build = 1 THEN ',build' ELSE '' END || CASE WHEN e.is_test = 1 THEN ',test' ELSE '' END, 2) AS deptypes,  -- sorted: build,test
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
WHERE n.form < 3 AND (e.is_build = 1 OR e.is_test = 1)
;
CREATE VIEW build_hashes AS
SELECT
  b.build_hash,     -- as the lock file has it
  k.name AS package,
  x.hash            -- the DAG hash, 32 characters
FROM spec_build_hash b
JOIN spec x ON x.spec_id = b.spec_id
JOIN look l ON l.look_id = x.look_id
JOIN package k ON k.package_id = l.package_id
;
CREATE VIEW roots AS
SELECT
  s.snapshot_id,
  s.name AS snapshot,
  p.root,        -- in the user's words: hdf5@1.14 +mpi
  k.name AS package,
  x.hash,
  p.environment  -- '' for the lock itself
FROM snapshot s
JOIN root_presence p
  ON p.series_id = s.series_id
 AND p.valid_from <= s.taken_at
 AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
JOIN spec x ON x.spec_id = p.spec_id
JOIN look l ON l.look_id = x.look_id
JOIN package k ON k.package_id = l.package_id
;
CREATE VIEW stack_drift AS
SELECT
  a.snapshot_id AS from_id,        -- the id of the snapshot before
  b.snapshot_id AS to_id,          -- the id of the snapshot after
  a.name        AS from_snapshot,  -- the name of the snapshot before
  b.name        AS to_snapshot,    -- the name of the snapshot after
  o.stack       AS stack,          -- NULL: the whole cache
  j.value ->> 0 AS change,         -- 'removed' (only before) or 'added' (only after)
  j.value ->> 1 AS cause,          -- package, version, target, compiler, variants, rebuilt, copies
  j.value ->> 2 AS package_id,
  j.value ->> 3 AS look_id,
  j.value ->> 4 AS spec_id,
  j.value ->> 5 AS stack_set_id,
  j.value ->> 6 AS group_look_id,  -- the look group, where the cause is rebuilt or copies
  j.value ->> 7 AS group_compiler_id,  -- its compiler; NULL: not part of the group
  j.value ->> 8 AS group_added,    -- how many of its specs were added
  j.value ->> 9 AS group_removed   -- how many of its specs were removed
FROM (SELECT NULL AS stack UNION SELECT stack FROM stack_set_stacks) o
CROSS JOIN snapshot a
CROSS JOIN snapshot b
CROSS JOIN json_each((
  WITH
  asked (from_series, from_moment, to_series, to_moment, stack, pattern) AS MATERIALIZED (
    SELECT a.series_id, a.taken_at, b.series_id, b.taken_at, o.stack, NULL),
-- definition: from here
  chosen_set AS NOT MATERIALIZED (
    SELECT t.stack_set_id
    FROM asked q
    CROSS JOIN stack_set_stacks t
    WHERE t.stack = q.stack OR glob(q.pattern, t.stack)),
  -- The presence rows that are compared: all, or those of the stack.
  present AS NOT MATERIALIZED (
    SELECT p.series_id, p.package_id, p.look_id, p.spec_id, p.stack_set_id, p.valid_from, p.valid_to
    FROM presence p
    WHERE (SELECT q.stack FROM asked q) IS NULL
       OR EXISTS (SELECT 1 FROM chosen_set t WHERE t.stack_set_id = p.stack_set_id)),

  -- Specs of one snapshot that the other may lack, with the series and moment of the other. If both snapshots are in one
  -- series, only intervals that begin or end between the two moments can differ.
  period (from_series, from_moment, to_series, to_moment, first, last) AS (
    SELECT
      from_series, from_moment, to_series, to_moment,
      CAST(min(from_moment, to_moment) AS BIGINT), CAST(max(from_moment, to_moment) AS BIGINT)
    FROM asked),
  candidate (change, look_id, package_id, spec_id, stack_set_id, other_series, other_moment) AS NOT MATERIALIZED (
    SELECT
      CASE WHEN q.from_moment < q.to_moment THEN 'removed' ELSE 'added' END,
      p.look_id, p.package_id, p.spec_id, p.stack_set_id, q.to_series, q.last
    FROM period q
    CROSS JOIN presence p
      ON p.series_id = q.from_series
     AND p.valid_to > q.first
     AND p.valid_to <= q.last
     AND p.valid_from <= q.first
    WHERE q.from_series = q.to_series
    UNION ALL
    SELECT
      CASE WHEN q.from_moment < q.to_moment THEN 'added' ELSE 'removed' END,
      p.look_id, p.package_id, p.spec_id, p.stack_set_id, q.to_series, q.first
    FROM period q
    CROSS JOIN presence p
      ON p.series_id = q.from_series
     AND p.valid_from > q.first
     AND p.valid_from <= q.last
     AND (p.valid_to IS NULL OR p.valid_to > q.last)
    WHERE q.from_series = q.to_series
    UNION ALL
    SELECT 'removed', p.look_id, p.package_id, p.spec_id, p.stack_set_id, q.to_series, q.to_moment
    FROM period q
    CROSS JOIN presence p
      ON p.series_id = q.from_series
     AND +p.valid_from <= q.from_moment  -- the + keeps SQLite from using an index: a full scan is faster here
     AND (p.valid_to IS NULL OR p.valid_to > q.from_moment)
    WHERE q.from_series <> q.to_series
    UNION ALL
    SELECT 'added', p.look_id, p.package_id, p.spec_id, p.stack_set_id, q.from_series, q.from_moment
    FROM period q
    CROSS JOIN presence p
      ON p.series_id = q.to_series
     AND +p.valid_from <= q.to_moment
     AND (p.valid_to IS NULL OR p.valid_to > q.to_moment)
    WHERE q.from_series <> q.to_series),

  -- All specs of a look have the same cause, so the cause is found once for each look. Its specs are kept in one JSON
  -- object, {"spec_id": stack_set_id, ...}. The id of a removed spec is negative.
  changed_look AS NOT MATERIALIZED (
    SELECT
      c.look_id,
      count(*) FILTER (WHERE c.change = 'added')   AS added,
      count(*) FILTER (WHERE c.change = 'removed') AS removed,
      json_group_object(CASE c.change WHEN 'added' THEN c.spec_id ELSE -c.spec_id END, c.stack_set_id) AS specs
    FROM candidate c
    WHERE ((SELECT q.stack FROM asked q) IS NULL
        OR EXISTS (SELECT 1 FROM chosen_set t WHERE t.stack_set_id = c.stack_set_id))
      AND NOT EXISTS (
        SELECT 1 FROM present p
        WHERE p.series_id = c.other_series AND p.package_id = c.package_id
          AND p.look_id = c.look_id AND p.spec_id = c.spec_id
          AND p.valid_from <= c.other_moment AND (p.valid_to IS NULL OR p.valid_to > c.other_moment))
    GROUP BY c.look_id),
  -- If a look was only added or only removed, check whether the other snapshot has it. If it was both, both have it.
  asked_look AS NOT MATERIALIZED (
    SELECT
      n.look_id, n.added, n.removed, n.specs,
      CASE WHEN n.added > 0 THEN q.from_series ELSE q.to_series END AS other_series,
      CASE WHEN n.added > 0 THEN q.from_moment ELSE q.to_moment END AS other_moment
    FROM changed_look n
    CROSS JOIN asked q),
  explained AS MATERIALIZED (
    SELECT
      c.look_id, c.added, c.removed, c.specs,
      l.package_id, l.version_id, l.arch_id, l.variant_set_id, l.compiler_id,
      CASE
        WHEN c.added > 0 AND c.removed > 0 THEN 'alike'
        WHEN EXISTS (
          SELECT 1 FROM present p
          WHERE p.series_id = c.other_series AND p.package_id = l.package_id AND p.look_id = l.look_id
            AND p.valid_from <= c.other_moment AND (p.valid_to IS NULL OR p.valid_to > c.other_moment))
        THEN 'alike'
        ELSE coalesce(
          -- The first difference from the nearest look for this target, if the other snapshot has one.
          (SELECT
             CASE max(CASE WHEN m.compiler_id <> l.compiler_id THEN 1
                           WHEN m.variant_set_id IS DISTINCT FROM l.variant_set_id THEN 2
                           ELSE 3 END)
             WHEN 1 THEN 'compiler' WHEN 2 THEN 'variants' WHEN 3 THEN 'alike' END
           FROM look m
           WHERE m.package_id = l.package_id AND m.version_id IS NOT DISTINCT FROM l.version_id AND m.arch_id IS NOT DISTINCT FROM l.arch_id
             AND EXISTS (
               SELECT 1 FROM present p
               WHERE p.series_id = c.other_series AND p.package_id = l.package_id AND p.look_id = m.look_id
                 AND p.valid_from <= c.other_moment AND (p.valid_to IS NULL OR p.valid_to > c.other_moment))),
          CASE
            WHEN EXISTS (
              SELECT 1 FROM look m
              WHERE m.package_id = l.package_id AND m.version_id IS NOT DISTINCT FROM l.version_id
                AND EXISTS (
                  SELECT 1 FROM present p
                  WHERE p.series_id = c.other_series AND p.package_id = l.package_id AND p.look_id = m.look_id
                    AND p.valid_from <= c.other_moment AND (p.valid_to IS NULL OR p.valid_to > c.other_moment)))
            THEN 'target'
            WHEN EXISTS (
              SELECT 1 FROM present p
              WHERE p.series_id = c.other_series AND p.package_id = l.package_id
                AND p.valid_from <= c.other_moment AND (p.valid_to IS NULL OR p.valid_to > c.other_moment))
            THEN 'version'
            WHEN EXISTS (
              SELECT 1 FROM observations s
              WHERE s.series_id = c.other_series AND s.package_id = l.package_id AND s.taken_at <= c.other_moment)
            THEN 'package'
            ELSE 'unobserved'
          END)
      END AS cause
    FROM asked_look c
    CROSS JOIN look l ON l.look_id = c.look_id),

  -- `place` names the look group. If either snapshot has the look without a compiler, that look names the group.
  -- Otherwise each look is a group of its own.
  placed AS (
    SELECT
      e.look_id, e.added, e.removed, e.specs, e.package_id, e.compiler_id, e.cause,
      CASE
        WHEN e.cause <> 'alike' THEN -e.look_id
        WHEN e.compiler_id IS NULL THEN e.look_id
        ELSE coalesce(
          (SELECT m.look_id
           FROM look m
           WHERE m.package_id = e.package_id AND m.version_id IS NOT DISTINCT FROM e.version_id AND m.arch_id IS NOT DISTINCT FROM e.arch_id
             AND m.variant_set_id IS NOT DISTINCT FROM e.variant_set_id AND m.compiler_id IS NULL
             AND EXISTS (
               SELECT 1 FROM asked q
               WHERE EXISTS (
                 SELECT 1 FROM present p
                 WHERE p.series_id IN (q.from_series, q.to_series)
                   AND p.package_id = e.package_id AND p.look_id = m.look_id
                   AND ((p.series_id = q.from_series AND p.valid_from <= q.from_moment
                         AND (p.valid_to IS NULL OR p.valid_to > q.from_moment))
                     OR (p.series_id = q.to_series AND p.valid_from <= q.to_moment
                         AND (p.valid_to IS NULL OR p.valid_to > q.to_moment)))))),
          e.look_id)
      END AS place
    FROM explained e
    WHERE e.cause <> 'unobserved'),
  grouped AS MATERIALIZED (
    SELECT
      cause, package_id, look_id, specs, cause = 'alike' AS is_group,
      CASE WHEN place = look_id THEN compiler_id END AS compiler_id,
      min(look_id) OVER look_group                   AS first_look_id,
      sum(added) OVER look_group                     AS added,
      sum(removed) OVER look_group                   AS removed
    FROM placed
    WINDOW look_group AS (PARTITION BY place)),

  -- The specs again, one row each. In a group with added and removed specs, the smaller side is 'rebuilt'; as many of the
  -- larger side are too. The next step finds out which ones: their cause is NULL here.
  listed AS NOT MATERIALIZED (
    SELECT
      CASE WHEN CAST(j.key AS BIGINT) > 0 THEN 'added' ELSE 'removed' END AS change,
      CASE
        WHEN NOT g.is_group THEN g.cause
        WHEN g.added = 0 OR g.removed = 0 THEN 'copies'
        WHEN g.added = g.removed THEN 'rebuilt'
        WHEN (CAST(j.key AS BIGINT) > 0) = (g.added < g.removed) THEN 'rebuilt'
      END                                           AS cause,
      g.package_id,
      g.look_id,
      abs(CAST(j.key AS BIGINT))                   AS spec_id,
      j.value                                       AS stack_set_id,
      CASE WHEN g.is_group THEN g.first_look_id END AS group_look_id,
      CASE WHEN g.is_group THEN g.compiler_id END   AS group_compiler_id,
      CASE WHEN g.is_group THEN g.added END         AS group_added,
      CASE WHEN g.is_group THEN g.removed END       AS group_removed
    FROM grouped g
    CROSS JOIN json_each(CAST(g.specs AS TEXT)) j),
  -- The hashes decide which specs are rebuilt. So the result does not depend on the order of loading.
  told AS (
    SELECT
      change, cause, package_id, look_id, spec_id, stack_set_id,
      group_look_id, group_compiler_id, group_added, group_removed
    FROM listed
    WHERE cause IS NOT NULL
    UNION ALL
    SELECT
      d.change,
      CASE
        WHEN row_number() OVER (PARTITION BY d.group_look_id ORDER BY x.hash) <= min(d.group_added, d.group_removed)
        THEN 'rebuilt'
        ELSE 'copies'
      END,
      d.package_id, d.look_id, d.spec_id, d.stack_set_id,
      d.group_look_id, d.group_compiler_id, d.group_added, d.group_removed
    FROM listed d
    CROSS JOIN spec x ON x.spec_id = d.spec_id
    WHERE d.group_added <> d.group_removed
      AND d.cause IS NULL)
-- definition: up to here
  SELECT json_group_array(json_array(
    change, cause, package_id, look_id, spec_id, stack_set_id,
    group_look_id, group_compiler_id, group_added, group_removed))
  FROM told)) j
;
CREATE VIEW spec_drift AS
SELECT
  d.from_id,
  d.to_id,
  d.from_snapshot,
  d.to_snapshot,
  d.change,  -- 'removed' (only before) or 'added' (only after)
  d.cause,
  d.package_id,
  d.look_id,
  d.spec_id,
  d.stack_set_id,
  d.group_look_id,
  d.group_compiler_id,
  d.group_added,
  d.group_removed,
  l.package,
  l.version,
  x.hash,
  l.compiler,
  l.os,
  l.platform,
  l.target,
  l.variants,
  g.stacks   -- those of the spec in the snapshot that has it
FROM stack_drift d
CROSS JOIN spec x ON x.spec_id = d.spec_id
CROSS JOIN looks l ON l.look_id = d.look_id
LEFT JOIN stack_set g ON g.stack_set_id = d.stack_set_id
WHERE d.stack IS NULL
;
CREATE UNIQUE INDEX look_attributes ON look
  (package_id, version_id, arch_id, variant_set_id, ifnull(compiler_id, 0));
CREATE UNIQUE INDEX spec_hash ON spec (hash, look_id);
CREATE INDEX presence_from ON presence (series_id, valid_from, came);
CREATE INDEX presence_to ON presence (series_id, valid_to, went) WHERE valid_to IS NOT NULL;
CREATE INDEX page_presence_page ON page_presence (page_id);
COMMIT;
PRAGMA application_id=1129080690;
PRAGMA user_version=10;
