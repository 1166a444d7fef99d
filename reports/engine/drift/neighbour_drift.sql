-- Adds the rows of one of the pairs in temp.neighbours: the definition is of one pair.
INSERT INTO temp.stack_drift (from_id, to_id, change, cause, package_id, look_id)
WITH
asked (from_series, from_moment, to_series, to_moment, stack, pattern) AS MATERIALIZED (
  SELECT series_id, from_moment, series_id, to_moment, NULL, NULL FROM temp.neighbours WHERE to_id = :to_id),
-- definition: that of schema/sql/views/stack_drift.sql
SELECT n.from_id, n.to_id, d.change, d.cause, d.package_id, d.look_id
FROM temp.neighbours n
CROSS JOIN told d
WHERE n.to_id = :to_id;
