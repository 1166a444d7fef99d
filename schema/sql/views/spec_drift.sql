-- One row for each spec that only one of two snapshots has, with its cause: the rows of stack_drift for the whole cache,
-- and the spec in words. Ask for one pair: WHERE from_snapshot = ... AND to_snapshot = ... `stacks` are those of the
-- spec in the snapshot that has it.
-- A view of pairs: without WHERE it compares each two snapshots. To count its rows, as some tools do with every view, took
-- 12 seconds with 12 snapshots of 5,000 specs, and 78 seconds with 24. `backup --plain` leaves it out.
CREATE VIEW spec_drift AS
SELECT
  d.from_id,
  d.to_id,
  d.from_snapshot,
  d.to_snapshot,
  d.change,  -- 'removed' (only before) or 'added' (only after)
  d.cause,
  d.package_id,
  d.look_id,
  d.spec_id,
  d.stack_set_id,
  d.group_look_id,
  d.group_compiler_id,
  d.group_added,
  d.group_removed,
  l.package,
  l.version,
  x.hash,
  l.compiler,
  l.os,
  l.platform,
  l.target,
  l.variants,
  g.stacks   -- those of the spec in the snapshot that has it
FROM stack_drift d
CROSS JOIN spec x
CROSS JOIN looks l
LEFT JOIN stack_set g ON g.stack_set_id = d.stack_set_id
WHERE x.spec_id = d.spec_id
  AND l.look_id = d.look_id
  AND d.stack IS NULL;
