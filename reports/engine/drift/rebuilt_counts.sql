-- The numbers of the report drift/rebuilt, without what its rows are about: one row for each of them. :from, :to, :package and
-- :stack are as in the reports of drift/.
SELECT
  'rebuilt'                                    AS kind,
  count(*) FILTER (WHERE d.change = 'added')   AS added,
  count(*) FILTER (WHERE d.change = 'removed') AS removed
FROM stack_drift d
CROSS JOIN asked_looks USING (look_id)
WHERE d.from_snapshot = :from
  AND d.to_snapshot = :to
  AND d.stack IS NOT DISTINCT FROM :stack
  AND d.group_added > 0
  AND d.group_removed > 0
  AND d.package_id IN (SELECT package_id FROM package WHERE glob(:package, name))
GROUP BY d.group_look_id;
