-- Whether the ledger knows dependencies of specs of a package in a snapshot.
SELECT max(knows_dependencies) AS known
FROM specs
WHERE snapshot = :at AND package = :package;
