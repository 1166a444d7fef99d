-- The builds of the snapshot :at, found once for several reports, in a temporary view present_specs. SQLite finds it before the helper
-- view of the ledger, so the reports read it without a change.
DROP VIEW IF EXISTS temp.present_specs;
CREATE TEMP TABLE held_snapshot AS
SELECT snapshot_id, name, series_id, taken_at FROM snapshot WHERE name = :at;
-- The order is that of the helper view: reports count by package and look without sorting. Without types of the columns SQLite would scan
-- all rows for each package.
CREATE TEMP TABLE held_spec (
  package_id INTEGER, look_id INTEGER, spec_id INTEGER, valid_from INTEGER, stack_set_id INTEGER,
  PRIMARY KEY (package_id, look_id, spec_id, valid_from)) WITHOUT ROWID;
INSERT INTO temp.held_spec
SELECT p.package_id, p.look_id, p.spec_id, p.valid_from, p.stack_set_id
FROM temp.held_snapshot s
CROSS JOIN presence p
  ON p.series_id = s.series_id
 AND +p.valid_from <= s.taken_at  -- the + keeps SQLite from using an index: a scan in the order of the key is faster
 AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
ORDER BY p.package_id, p.look_id, p.spec_id, p.valid_from;
CREATE TEMP VIEW present_specs AS
SELECT s.snapshot_id, s.name AS snapshot, k.name AS package, k.package_id, p.look_id, p.spec_id, p.stack_set_id
FROM temp.held_snapshot s
CROSS JOIN main.package k
CROSS JOIN temp.held_spec p ON p.package_id = k.package_id;
