-- The builds of the snapshot :at with the variant +cuda.
SELECT s.package, s.version, s.target, s.compiler, s.hash
FROM specs s
JOIN spec_variants v ON v.hash = s.hash
WHERE s.snapshot = :at AND v.name = 'cuda' AND v.value = 'true'
ORDER BY s.package, s.version_key;
