-- The wishes that the lists of the stack :stack had at the moment of the snapshot :at, and whether its builds meet them.
SELECT spec, spec_group, package, conditions, has_stack, met, is_preferred, path
FROM wish_states
WHERE snapshot = :at
  AND stack = :stack
ORDER BY spec_group, spec, conditions
