-- The specs that a hash names, or the beginning of one: their own, or one by which an old lock file calls them.
SELECT DISTINCT spec_id
FROM hash_names
WHERE name >= :hash AND name < :hash || '{'
ORDER BY spec_id;
