-- What the roots of :lock need, themselves counted, directly or not; a snapshot that is not of a lock file has all its specs as roots.
-- `is_runtime` is 1 if a spec is needed to link or to run. `is_there` is 1 if the snapshot :at has its hash, or the hash that was built of
-- a spliced spec; it is 0 for what is external. `is_unknown` is 1 if no source gives its dependencies. (A dependency that is not part of
-- the hash may be that of another lock file, if this one does not list it.)
DROP TABLE IF EXISTS temp.wanted_specs;
CREATE TEMP TABLE wanted_specs (
  spec_id INTEGER PRIMARY KEY, is_runtime INTEGER NOT NULL, is_external INTEGER NOT NULL, is_there INTEGER NOT NULL,
  is_unknown INTEGER NOT NULL);

-- The arguments that it is filled for: one row.
DROP TABLE IF EXISTS temp.asked_wanted;
CREATE TEMP TABLE asked_wanted (lock TEXT NOT NULL, at TEXT NOT NULL);
