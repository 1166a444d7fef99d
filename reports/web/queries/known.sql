-- Whether the ledger knows dependencies of builds of a package in a snapshot, how many builds there are, and one of them.
SELECT max(knows_dependencies) AS known, count(*) AS builds, min(hash) AS hash
FROM specs
WHERE snapshot = :at AND package = :package;
