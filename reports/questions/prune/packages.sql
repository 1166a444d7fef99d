-- The packages that lose specs: first those that vanish, then those that lose versions, then by the number of specs.
WITH version_lost AS MATERIALIZED (
  SELECT package_id, version_id, count(*) AS specs, sum(kept) AS kept FROM temp.pruned_spec GROUP BY package_id, version_id),
named AS (
  SELECT package_id, count(*) AS lost, group_concat(version, ' ') AS versions
  FROM (
    SELECT o.package_id, v.version
    FROM version_lost o
    JOIN version v USING (version_id)
    WHERE o.kept = 0
    ORDER BY o.package_id, v.sort_key)
  GROUP BY package_id),
counted AS (
  SELECT package_id, count(*) AS before, sum(kept) AS after, sum(bytes) FILTER (WHERE NOT kept) AS lost_bytes
  FROM temp.pruned_spec
  GROUP BY package_id)
SELECT
  k.name                                AS package,
  c.before, c.after, c.before - c.after AS lost,
  CASE WHEN c.after = 0 THEN 1 ELSE 0 END AS vanishes,
  coalesce(n.lost, 0)                   AS versions_lost,
  n.versions                            AS versions,
  c.lost_bytes
FROM counted c
JOIN package k USING (package_id)
LEFT JOIN named n USING (package_id)
WHERE c.after < c.before
ORDER BY vanishes DESC, versions_lost DESC, lost DESC, k.name;
