-- One row for each name by which a stack set can be asked for (--stack): each of its stacks, including `root`, and '(no
-- stack)' if it has no stack except `root`.
CREATE VIEW stack_set_stacks AS
SELECT
  m.stack_set_id,
  t.name AS stack
FROM stack_set_member m
JOIN stack t USING (stack_id)
UNION ALL
SELECT
  stack_set_id,
  '(no stack)'
FROM stack_set
WHERE named_stacks = '';
