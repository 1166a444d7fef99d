-- The added specs that `why` is asked about. Those with is_rebuilt are to be explained: nothing that they show of themselves is
-- new. (A compiler that is a dependency does not belong to the spec itself.) :from, :to, :package and :stack are as in the reports
-- of drift/.
SELECT
  d.spec_id, d.cause, d.cause IN ('rebuilt', 'copies') OR (d.cause = 'compiler' AND n.compiler_from IS 'edge') AS is_rebuilt
FROM stack_drift d
CROSS JOIN asked_looks USING (look_id)
LEFT JOIN node n ON n.spec_id = d.spec_id
WHERE d.from_snapshot = :from
  AND d.to_snapshot = :to
  AND d.stack IS :stack
  AND d.change = 'added'
  AND d.package_id IN (SELECT package_id FROM package WHERE name GLOB :package)
ORDER BY d.spec_id;
