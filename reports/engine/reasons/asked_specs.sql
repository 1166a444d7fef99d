-- Why one spec is not another: what is asked, instead of asked_snapshots.sql. :from and :to are hashes of specs.
DROP TABLE IF EXISTS temp.why_pair;
CREATE TEMP TABLE why_pair AS
SELECT
  :from AS from_snapshot, :to AS to_snapshot, NULL AS stack, '*' AS packages, 'all' AS from_lists;

DROP TABLE IF EXISTS temp.why_present;
CREATE TEMP TABLE why_present (spec_id INTEGER PRIMARY KEY, in_from INTEGER NOT NULL, in_to INTEGER NOT NULL);
INSERT INTO why_present
SELECT spec_id, hash = :from, hash = :to FROM spec WHERE hash IN (:from, :to);

DROP TABLE IF EXISTS temp.why_asked;
CREATE TEMP TABLE why_asked (spec_id INTEGER PRIMARY KEY, cause TEXT NOT NULL, is_rebuilt INTEGER NOT NULL);
INSERT INTO why_asked
SELECT spec_id, 'rebuilt', 1 FROM why_present WHERE in_to AND NOT in_from;
