-- The rows of stack_drift for the pair of snapshots that a report asks for, as a part of WITH: what
-- reports/engine/drift/pair_drift.sql does by temporary tables in SQLite. :stack is NULL, a name, or a pattern.
stack_drift AS MATERIALIZED (
  WITH
  drift_pair AS MATERIALIZED (
    SELECT
      a.snapshot_id AS from_id, a.name AS from_snapshot, a.series_id AS from_series, a.taken_at AS from_moment,
      b.snapshot_id AS to_id,   b.name AS to_snapshot,   b.series_id AS to_series,   b.taken_at AS to_moment,
      :stack AS stack, :stack AS pattern
    FROM snapshot a
    CROSS JOIN snapshot b
    WHERE a.name = :from
      AND b.name = :to),
  asked AS MATERIALIZED (
    SELECT from_series, from_moment, to_series, to_moment, stack, pattern FROM drift_pair),
-- definition: that of schema/sql/views/stack_drift.sql
  SELECT
    p.from_id, p.to_id, p.from_snapshot, p.to_snapshot, p.stack,
    d.change, d.cause, d.package_id, d.look_id, d.spec_id, d.stack_set_id,
    d.group_look_id, d.group_compiler_id, d.group_added, d.group_removed
  FROM drift_pair p
  CROSS JOIN told d)
