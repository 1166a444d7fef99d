-- The wishes of a stack in a snapshot that no build of the stack surely meets.
SELECT spec, spec_group, CASE met WHEN 1 THEN 'as far as known' ELSE 'missing' END AS state, conditions
FROM wish_states
WHERE snapshot = :at AND stack = :stack AND met < 2
ORDER BY met, spec_group, spec;
