-- Drops an index that nothing reads: reports find a look's specs in presence, whose key has both.
DROP INDEX spec_look;
DELETE FROM sqlite_stat1 WHERE idx = 'spec_look';

-- The planner reads the statistics anew, in the connection that has just written them too.
ANALYZE sqlite_schema;
