-- One row for each spec that only one of two snapshots has, with its cause: the rows of stack_drift for the whole cache. Ask for one pair: WHERE from_snapshot = ... AND to_snapshot = ...
CREATE VIEW spec_drift AS
SELECT
  from_id,
  to_id,
  from_snapshot,
  to_snapshot,
  change,
  cause,
  package_id,
  look_id,
  spec_id,
  stack_set_id,
  group_look_id,
  group_compiler_id,
  group_added,
  group_removed
FROM stack_drift
WHERE stack IS NULL;
