-- The specs of each stack before and after, most lost first. A spec is in the stacks in which it was seen last. The union of all
-- stacks, `root`, is left out. '(no stack)': in none.
WITH counted AS MATERIALIZED (
  SELECT stack_set_id, count(*) AS specs, sum(kept) AS kept FROM temp.pruned_spec GROUP BY stack_set_id)
SELECT t.stack, sum(c.specs) AS before, sum(c.kept) AS after, sum(c.specs - c.kept) AS lost
FROM counted c
JOIN stack_set_stacks t USING (stack_set_id)
WHERE t.stack <> 'root'
GROUP BY t.stack
ORDER BY lost DESC, t.stack;
