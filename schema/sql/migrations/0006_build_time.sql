-- How long builds took (ingest of install_times.json, or of a table). The latest ingest of a build wins. It belongs to no snapshot:
-- forget leaves it. What a build of another hash took stands for a version where nothing is known of the hash
-- (reports/engine/build_times/build_times.hpp).
CREATE TABLE build_time (
  build        TEXT NOT NULL PRIMARY KEY,  -- the hash of a spec; or package@version, of any build of it
  package      TEXT,                       -- NULL: the input says the hash only
  version      TEXT,                       -- likewise; the ledger may have no spec of the hash, which would say it
  milliseconds INTEGER NOT NULL CHECK (milliseconds >= 0)
) STRICT, WITHOUT ROWID;

-- As in 0001_initial.sql: the size of a public cache.
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('build_time', 'build_time', '100000 1');

ANALYZE sqlite_schema;
