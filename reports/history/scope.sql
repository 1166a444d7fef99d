-- What a history is about: the specs :specs (a JSON array of spec_ids) of the package :package_id in the series :series_id.
--
-- The temporary table `presence` hides that of the ledger and has the rows of this package and series only. Causes of drift
-- compare specs of one package, so what the definition of drift (reports/drift/pair_drift.sql) says over it of this package is
-- what it says over the ledger. It takes milliseconds for each pair of snapshots, not as long as the whole cache needs.
DROP TABLE IF EXISTS temp.history_spec;
DROP TABLE IF EXISTS temp.presence;

CREATE TEMP TABLE history_spec AS
SELECT x.spec_id, x.hash, x.look_id
FROM json_each(:specs) j
CROSS JOIN spec x ON x.spec_id = j.value;

CREATE UNIQUE INDEX temp.history_spec_key ON history_spec (spec_id);

CREATE TEMP TABLE presence AS
SELECT series_id, package_id, look_id, spec_id, valid_from, valid_to, stack_set_id, came, went
FROM main.presence
WHERE series_id = :series_id
  AND package_id = :package_id;

CREATE UNIQUE INDEX temp.presence_key ON presence (series_id, package_id, look_id, spec_id, valid_from);
