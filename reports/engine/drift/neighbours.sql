-- The rows of stack_drift for the :last newest snapshots of each series that matches :series, each with the one before it, in a
-- temporary table of that name. SQLite finds it before the view of the ledger, so history/causes reads it without a change. It has
-- the columns that this report needs. The view would write each row into a text, and read it from there.
CREATE TEMP TABLE neighbours (
  from_id INTEGER NOT NULL, from_moment INTEGER NOT NULL, to_id INTEGER NOT NULL, to_moment INTEGER NOT NULL,
  series_id INTEGER NOT NULL);

CREATE TEMP TABLE stack_drift (
  from_id INTEGER NOT NULL, to_id INTEGER NOT NULL, stack TEXT, change TEXT, cause TEXT, package_id INTEGER, look_id INTEGER);

-- The definition is of one pair.
CREATE TEMP TRIGGER compare_neighbours AFTER INSERT ON neighbours BEGIN
  INSERT INTO stack_drift (from_id, to_id, change, cause, package_id, look_id)
  SELECT NEW.from_id, NEW.to_id, d.change, d.cause, d.package_id, d.look_id
  FROM (
    WITH
    asked (from_series, from_moment, to_series, to_moment, stack, pattern) AS MATERIALIZED (
      SELECT NEW.series_id, NEW.from_moment, NEW.series_id, NEW.to_moment, NULL, NULL),
-- definition: that of schema/sql/views/stack_drift.sql
    SELECT change, cause, package_id, look_id FROM told) d;
END;

INSERT INTO neighbours (from_id, from_moment, to_id, to_moment, series_id)
SELECT from_id, from_moment, to_id, to_moment, series_id
FROM (
  SELECT
    s.snapshot_id AS to_id, s.taken_at AS to_moment, s.series_id,
    lag(s.snapshot_id) OVER series_in_time AS from_id,
    lag(s.taken_at) OVER series_in_time    AS from_moment,
    row_number() OVER (PARTITION BY s.series_id ORDER BY s.taken_at DESC) AS age
  FROM snapshot s
  JOIN series r ON r.series_id = s.series_id
  WHERE glob(:series, r.name)
  WINDOW series_in_time AS (PARTITION BY s.series_id ORDER BY s.taken_at)) e
WHERE from_id IS NOT NULL
  AND age <= :last;

CREATE INDEX temp.stack_drift_pair ON stack_drift (from_id, to_id);
