-- What the specs of the snapshot :at need to link or to run, directly or not, and it does not list: how many of its specs need each,
-- and of how many packages these are. Externals are among them, and specs that were built under another hash.
DROP TABLE IF EXISTS temp.absent_specs;
CREATE TEMP TABLE absent_specs (spec_id INTEGER PRIMARY KEY, needed_by INTEGER NOT NULL, packages INTEGER NOT NULL);

-- The specs of the snapshot of which no source gives the dependencies.
DROP TABLE IF EXISTS temp.unknown_specs;
CREATE TEMP TABLE unknown_specs (spec_id INTEGER PRIMARY KEY);
