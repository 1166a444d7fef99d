-- The wishes that the lists of the stack :stack had at the moment of the snapshot :at, and whether its builds meet them. `has_stack`
-- is 1 if the snapshot has builds in a stack of that name, and `has_stacks` if it has builds in any.
WITH present AS MATERIALIZED (
  SELECT
    EXISTS (
      SELECT 1
      FROM present_specs p
      WHERE p.snapshot = :at
        AND p.stack_set_id IN (SELECT stack_set_id FROM stack_set_stacks WHERE stack = :stack)) AS has_stack,
    EXISTS (
      SELECT 1
      FROM present_specs p
      JOIN stack_set g USING (stack_set_id)
      WHERE p.snapshot = :at
        AND g.named_stacks <> '')                                                               AS has_stacks)
SELECT w.spec, w.spec_group, w.package, w.conditions, p.has_stack, w.met, w.is_preferred, w.path, p.has_stacks
FROM wish_states w
CROSS JOIN present p
WHERE w.snapshot = :at
  AND w.stack = :stack
ORDER BY w.spec_group, w.spec, w.conditions
