-- The temporary table `presence` hides that of the ledger, and has rows of history_presence (reports/questions/history/scope.sql)
-- only. Causes of drift compare specs of one package, so what the definition of drift (reports/engine/drift/pair_drift.sql) says
-- over it of the package :package_id is what it says over the ledger. It has those rows that hold at one of the two snapshots
-- that are compared: each pair takes as long as the package is large, however long its history is. The table `package` likewise
-- has this one.
DROP TABLE IF EXISTS temp.presence;
DROP TABLE IF EXISTS temp.package;

CREATE TEMP TABLE presence AS
SELECT series_id, package_id, look_id, spec_id, valid_from, valid_to, stack_set_id, came, went
FROM temp.history_presence
WHERE 0;

CREATE UNIQUE INDEX temp.presence_key ON presence (series_id, package_id, look_id, spec_id, valid_from);
CREATE INDEX temp.presence_until ON presence (valid_to);

CREATE TEMP TABLE package AS
SELECT * FROM main.package
WHERE package_id = :package_id;

CREATE UNIQUE INDEX temp.package_key ON package (package_id);
