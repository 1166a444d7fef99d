-- The specs that an old lock file calls by a hash which begins so, with the hash that they have.
SELECT DISTINCT b.build_hash, x.hash
FROM spec_build_hash b
CROSS JOIN spec x USING (spec_id)
WHERE b.build_hash >= :hash AND b.build_hash < :hash || '{'
ORDER BY 1, 2
LIMIT 5;
