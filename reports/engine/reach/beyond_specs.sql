-- What the specs of the snapshot :at need, directly or not, over all dependencies, and it does not list.
DROP TABLE IF EXISTS temp.beyond_specs;
CREATE TEMP TABLE beyond_specs (spec_id INTEGER PRIMARY KEY);
