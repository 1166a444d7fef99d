-- With which compilers, for which targets: the builds of the snapshot :at.
SELECT target, compiler, count(*) AS specs, count(DISTINCT package) AS packages
FROM specs
WHERE snapshot = :at
GROUP BY target, compiler
ORDER BY specs DESC;
