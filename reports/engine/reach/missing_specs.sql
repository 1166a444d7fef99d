-- What the roots of :lock need and :at lacks: the rows of wanted_specs (reports/engine/reach/wanted_specs.sql) that are neither external
-- nor there. `frontier` is 1 if such a spec needs no other of them, `dependents` counts the other wanted specs that need it, directly or
-- not. Both follow link and run dependencies, and all dependencies where `is_runtime` is 0.
DROP TABLE IF EXISTS temp.missing_specs;
CREATE TEMP TABLE missing_specs (
  spec_id INTEGER PRIMARY KEY, is_runtime INTEGER NOT NULL, frontier INTEGER NOT NULL, dependents INTEGER NOT NULL);

-- The arguments that it is filled for: one row.
DROP TABLE IF EXISTS temp.asked_wanted;
CREATE TEMP TABLE asked_wanted (lock TEXT NOT NULL, at TEXT NOT NULL);
