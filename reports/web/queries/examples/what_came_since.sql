-- What came and went from :from to :to, and why.
SELECT change, cause, package, version, target, compiler, hash
FROM spec_drift
WHERE from_snapshot = :from AND to_snapshot = :to
ORDER BY package, version
LIMIT 1000;
