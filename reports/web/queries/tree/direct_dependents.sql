-- How many builds of the ledger need a build directly: an index alone tells it.
SELECT count(DISTINCT spec_id) AS builds FROM dependency WHERE dependency_id = :spec_id;
