-- The view stack_drift of a ledger that is published to PostgreSQL, where a join can refer to the two snapshots.
CREATE VIEW stack_drift AS
SELECT
  a.snapshot_id AS from_id,
  b.snapshot_id AS to_id,
  a.name        AS from_snapshot,
  b.name        AS to_snapshot,
  o.stack       AS stack,
  d.change, d.cause, d.package_id, d.look_id, d.spec_id, d.stack_set_id,
  d.group_look_id, d.group_compiler_id, d.group_added, d.group_removed
FROM (SELECT NULL AS stack UNION SELECT stack FROM stack_set_stacks) o
CROSS JOIN snapshot a
CROSS JOIN snapshot b
CROSS JOIN LATERAL (
  WITH
  asked (from_series, from_moment, to_series, to_moment, stack, pattern) AS MATERIALIZED (
    SELECT a.series_id, a.taken_at, b.series_id, b.taken_at, o.stack, CAST(NULL AS TEXT)),
-- definition: that of schema/sql/views/stack_drift.sql
  SELECT
    change, cause, package_id, look_id, spec_id, stack_set_id,
    group_look_id, group_compiler_id, group_added, group_removed
  FROM told) d;
