-- What a history is about: the specs :specs (a JSON array of spec_ids) of the package :package_id in the series :series_id.
--
-- The temporary table `presence` hides that of the ledger and has rows of this package and series only. Causes of drift
-- compare specs of one package, so what the definition of drift (reports/engine/drift/pair_drift.sql) says over it of this package is
-- what it says over the ledger. It has those rows of history_presence that hold at one of the two snapshots that are compared:
-- each pair takes as long as the package is large, however long its history is. The table `package` likewise has this one.
DROP TABLE IF EXISTS temp.history_spec;
DROP TABLE IF EXISTS temp.history_presence;
DROP TABLE IF EXISTS temp.presence;
DROP TABLE IF EXISTS temp.package;

CREATE TEMP TABLE history_spec AS
SELECT x.spec_id, x.hash, x.look_id
FROM json_each(:specs) j
CROSS JOIN spec x ON x.spec_id = j.value;

CREATE UNIQUE INDEX temp.history_spec_key ON history_spec (spec_id);

CREATE TEMP TABLE history_presence AS
SELECT series_id, package_id, look_id, spec_id, valid_from, valid_to, stack_set_id, came, went
FROM main.presence
WHERE series_id = :series_id
  AND package_id = :package_id;

CREATE INDEX temp.history_presence_from ON history_presence (valid_from);

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
