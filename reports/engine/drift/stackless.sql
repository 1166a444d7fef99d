-- How many builds that both snapshots have left stacks and are in none any more. :from, :to and :package are as in the reports of drift/.
SELECT count(*) AS specs
FROM stack_moves m
CROSS JOIN asked_looks USING (look_id)
JOIN package k ON k.package_id = m.package_id
JOIN stack_set b ON b.stack_set_id = m.before_id
JOIN stack_set a ON a.stack_set_id = m.after_id
WHERE m.from_snapshot = :from
  AND m.to_snapshot = :to
  AND glob(:package, k.name)
  AND b.named_stacks <> ''
  AND a.named_stacks = '';
