-- A hash is one spec of a package, and each presence has its spec; what is kept beside spec_id in presence follows from it.
SELECT 'spec: ' || x.hash || ' is there twice for ' || k.name AS problem
FROM spec x
JOIN look l USING (look_id)
JOIN package k USING (package_id)
GROUP BY x.hash, k.name
HAVING count(*) > 1
UNION ALL
SELECT 'presence: ' || ifnull(x.hash, 'spec ' || p.spec_id) ||
  CASE WHEN x.spec_id IS NULL THEN ' is not there'
       ELSE ' lies with another look or package than its own' END
FROM presence p
LEFT JOIN spec x USING (spec_id)
LEFT JOIN look l ON l.look_id = x.look_id
WHERE x.spec_id IS NULL OR p.look_id <> x.look_id OR p.package_id IS NOT l.package_id;
