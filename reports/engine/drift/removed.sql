-- Those of some specs, the ids in the JSON array :specs, that only the earlier snapshot has and that are asked, with the package and
-- version of each; those of one package and version together. :from, :to, :package and :stack are as in the reports of drift/.
SELECT d.spec_id, k.name, v.version, v.sort_key
FROM stack_drift d
CROSS JOIN asked_looks l ON l.look_id = d.look_id
CROSS JOIN package k ON k.package_id = d.package_id
LEFT JOIN version v ON v.version_id = l.version_id
WHERE d.from_snapshot = :from
  AND d.to_snapshot = :to
  AND d.stack IS NOT DISTINCT FROM :stack
  AND d.change = 'removed'
  AND glob(:package, k.name)
  AND d.spec_id IN (SELECT value FROM json_each(:specs))
ORDER BY k.name, v.sort_key, v.version, d.spec_id;
