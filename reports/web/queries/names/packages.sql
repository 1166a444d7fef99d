-- The packages that the ledger knows: those of snapshots, and those that only others need.
SELECT name FROM package ORDER BY name;
