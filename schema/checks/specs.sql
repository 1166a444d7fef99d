-- A hash is one spec of a package, and what is kept beside spec_id in presence follows from it.
SELECT 'spec: ' || x.hash || ' is there twice for ' || k.name AS problem
FROM spec x
JOIN look l USING (look_id)
JOIN package k USING (package_id)
GROUP BY x.hash, k.name
HAVING count(*) > 1
UNION ALL
SELECT 'presence: ' || x.hash || ' lies with another look or package than its own'
FROM presence p
JOIN spec x USING (spec_id)
JOIN look l ON l.look_id = x.look_id
WHERE p.look_id <> x.look_id OR p.package_id <> l.package_id;
