-- The rows of stack_drift for the :last newest snapshots of each series that matches :series, each with the one before it, in a
-- temporary table of that name. SQLite finds it before the view of the ledger, so history/causes reads it without a change. It has
-- the columns that this report needs. The view would write each row into a text, and read it from there.
-- neighbour_drift.sql fills it.
DROP VIEW IF EXISTS temp.stack_drift;

CREATE TEMP TABLE neighbours (
  to_id INTEGER PRIMARY KEY, to_moment INTEGER NOT NULL, from_id INTEGER NOT NULL, from_moment INTEGER NOT NULL,
  series_id INTEGER NOT NULL);

CREATE TEMP TABLE stack_drift (
  from_id INTEGER NOT NULL, to_id INTEGER NOT NULL, stack TEXT, change TEXT, cause TEXT, package_id INTEGER, look_id INTEGER);
CREATE INDEX temp.stack_drift_pair ON stack_drift (from_id, to_id);

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
