-- The packages with the most versions in the snapshot :at.
SELECT package, count(DISTINCT version) AS versions, count(*) AS specs
FROM specs
WHERE snapshot = :at
GROUP BY package
ORDER BY versions DESC, package
LIMIT 50;
