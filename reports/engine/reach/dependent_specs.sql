-- The specs of the snapshot :at that depend on what :spec names, directly or through others, over edges with one of the types :deptype.
-- `direct` is 1 if such an edge leads to it, and `deptypes` has the types of these edges: "build build,link"; else NULL.
DROP TABLE IF EXISTS temp.dependent_specs;
CREATE TEMP TABLE dependent_specs (spec_id INTEGER PRIMARY KEY, direct INTEGER NOT NULL, deptypes TEXT);

-- The arguments that it is filled for: one row.
DROP TABLE IF EXISTS temp.asked_dependents;
CREATE TEMP TABLE asked_dependents (spec TEXT NOT NULL, deptype TEXT NOT NULL);
