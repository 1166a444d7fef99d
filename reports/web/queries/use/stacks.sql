-- By stack: how many packages and builds of the snapshot :at are for the target :target, or have the compiler :compiler; the other one
-- is NULL. A build counts in each of its stacks; `root` is left out. `stack` is NULL where stacks are not known.
SELECT
  CASE WHEN b.stack_set_id IS NOT NULL THEN coalesce(t.name, '(no stack)') END AS stack,
  count(DISTINCT b.package_id) AS packages,
  sum(b.builds) AS builds
FROM (
  SELECT p.package_id, p.stack_set_id, count(*) AS builds
  FROM snapshot s
  CROSS JOIN look l
  CROSS JOIN presence p
    ON p.series_id = s.series_id AND p.package_id = l.package_id AND p.look_id = l.look_id
   AND +p.valid_from <= s.taken_at AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
  WHERE s.name = :at
    AND (l.arch_id IN (SELECT arch_id FROM arch WHERE target = :target)
      OR l.compiler_id IN (SELECT compiler_id FROM compiler WHERE spec = :compiler))
  GROUP BY p.package_id, p.stack_set_id) b
LEFT JOIN stack_set g ON g.stack_set_id = b.stack_set_id
LEFT JOIN stack_set_member m ON m.stack_set_id = b.stack_set_id AND g.named_stacks <> ''
LEFT JOIN stack t ON t.stack_id = m.stack_id
WHERE t.is_root IS NOT 1
GROUP BY 1
ORDER BY b.stack_set_id IS NULL, t.name IS NULL, t.name;
