-- Whether the ledger knows a package that a pattern matches.
SELECT EXISTS (SELECT 1 FROM package WHERE name = :package OR name GLOB :package) AS is_known;
