-- Adds two flags to presence, which tell whether a spec came or went at an end of an interval. A query can then find both
-- without reading the other intervals of the spec.
--
-- If a spec moves to other stacks, one interval ends and another begins at the same moment. The spec neither went nor came
-- at that moment. A stay is all intervals from one that came to one that went, or to one that is still open. A flag
-- depends only on the intervals that touch its own.
CREATE TEMP TABLE presence_before AS
SELECT
  series_id, package_id, look_id, spec_id, valid_from, valid_to, stack_set_id,
  lag(valid_to) OVER spec_in_time IS NOT valid_from                         AS came,
  valid_to IS NOT NULL AND lead(valid_from) OVER spec_in_time IS NOT valid_to AS went
FROM presence
WINDOW spec_in_time AS (PARTITION BY series_id, package_id, look_id, spec_id ORDER BY valid_from);

DROP TABLE presence;

-- A spec, with its stacks, in a series from valid_from until valid_to. 0001_initial.sql says more.
CREATE TABLE presence (
  series_id    INTEGER NOT NULL REFERENCES series,
  package_id   INTEGER NOT NULL,
  look_id      INTEGER NOT NULL,
  spec_id      INTEGER NOT NULL,
  valid_from   INTEGER NOT NULL,
  valid_to     INTEGER CHECK (valid_to > valid_from),
  stack_set_id INTEGER REFERENCES stack_set,        -- NULL: the page does not say
  came         INTEGER NOT NULL                     -- 0: it was there until valid_from, in other stacks
    CHECK (came IN (0, 1)),
  went         INTEGER NOT NULL                     -- 0: it is there from valid_to on, in other stacks; or still
    CHECK (went IN (0, 1) AND (went = 0 OR valid_to IS NOT NULL)),
  PRIMARY KEY (series_id, package_id, look_id, spec_id, valid_from)
) STRICT, WITHOUT ROWID;

INSERT INTO presence
SELECT series_id, package_id, look_id, spec_id, valid_from, valid_to, stack_set_id, came, went
FROM temp.presence_before
ORDER BY series_id, package_id, look_id, spec_id, valid_from;

DROP TABLE temp.presence_before;

CREATE INDEX presence_from ON presence (series_id, valid_from, came);
CREATE INDEX presence_to ON presence (series_id, valid_to, went) WHERE valid_to IS NOT NULL;

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('presence', 'presence', '500000 50000 60 5 2 1'),
  ('presence', 'presence_from', '500000 50000 1000 900'),
  ('presence', 'presence_to', '300000 30000 1000 900');

-- Makes the planner of this connection read the new statistics.
ANALYZE sqlite_schema;
