-- What would become of each spec that the cache may have: the tables of prune are made from it. One row for each spec; the program
-- writes them (reports/questions/prune/prune.cpp).
DROP TABLE IF EXISTS temp.pruned_spec;
CREATE TEMP TABLE pruned_spec (
  spec_id      INTEGER PRIMARY KEY,
  package_id   INTEGER NOT NULL,
  version_id   INTEGER,
  bytes        INTEGER,              -- NULL: not known
  last_seen    INTEGER NOT NULL,     -- the moment of the newest snapshot that has it
  listed       INTEGER NOT NULL,     -- the newest snapshots have it
  stack_set_id INTEGER,              -- when it was seen last; NULL: not known
  kept         INTEGER NOT NULL,
  needed       INTEGER NOT NULL);    -- a kept spec needs it to link or to run, and it is lost

-- Kept specs that need lost ones to link or to run, with the first of these by name.
DROP TABLE IF EXISTS temp.broken_spec;
CREATE TEMP TABLE broken_spec (
  spec_id INTEGER PRIMARY KEY,
  lost_id INTEGER NOT NULL,
  direct  INTEGER NOT NULL);         -- 0: it needs them through others only
