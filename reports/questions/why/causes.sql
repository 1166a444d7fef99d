-- Of the added builds with each cause that can need a reason: how many there are, how many have one, and how many have none because
-- their dependencies are not known. (reports/engine/reasons/tables.sql)
SELECT cause, asked, explained, unknown FROM why_causes ORDER BY rowid;
