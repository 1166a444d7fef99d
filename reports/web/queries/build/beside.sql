-- The hashes beside one that the ledger does not have: the greatest before it, and the smallest behind it.
SELECT max(hash) AS hash FROM spec WHERE hash < :hash
UNION ALL
SELECT min(hash) FROM spec WHERE hash > :hash;
