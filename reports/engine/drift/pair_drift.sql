-- The rows of stack_drift for one pair of snapshots and one stack, computed once, in a temporary view of that name.
-- SQLite finds it before the view of the ledger, so the reports of drift/ read it without a change. :from and :to are names of
-- snapshots. :stack is NULL, a name, or a pattern, which the view of the ledger could not take.
DROP VIEW IF EXISTS temp.stack_drift;
DROP TABLE IF EXISTS temp.drift_pair;
DROP TABLE IF EXISTS temp.drift_spec;

CREATE TEMP TABLE drift_pair AS
SELECT
  a.snapshot_id AS from_id, a.name AS from_snapshot, a.series_id AS from_series, a.taken_at AS from_moment,
  b.snapshot_id AS to_id,   b.name AS to_snapshot,   b.series_id AS to_series,   b.taken_at AS to_moment,
  :stack AS stack, :stack AS pattern
FROM snapshot a
CROSS JOIN snapshot b
WHERE a.name = :from
  AND b.name = :to;

CREATE TEMP TABLE drift_spec AS
  WITH
  asked AS MATERIALIZED (
    SELECT from_series, from_moment, to_series, to_moment, stack, pattern FROM temp.drift_pair),
-- definition: that of schema/sql/views/stack_drift.sql
  SELECT
    change, cause, package_id, look_id, spec_id, stack_set_id,
    group_look_id, group_compiler_id, group_added, group_removed
  FROM told;

CREATE TEMP VIEW stack_drift AS
SELECT
  p.from_id, p.to_id, p.from_snapshot, p.to_snapshot, p.stack,
  d.change, d.cause, d.package_id, d.look_id, d.spec_id, d.stack_set_id,
  d.group_look_id, d.group_compiler_id, d.group_added, d.group_removed
FROM temp.drift_pair p
CROSS JOIN temp.drift_spec d;
