-- The model of reports/engine/reasons: the reasons by recursion in SQL, slow. Step 1 of 5: what is asked.
--
-- The steps are statements that make temporary tables why_*, because each table is read several times, and SQLite would
-- compute a CTE again each time. In the sqlite3 shell read them in this order: asked_snapshots.sql, graphs.sql, own.sql,
-- edges.sql, reasons.sql, and then sql/drift/why.sql. :from and :to are names of snapshots, :package is a pattern, :stack is
-- NULL or the name of a stack.
--
-- from_lists: which of its nodes the earlier side lists. 'all'; 'cached': pages list what is in the cache (graphs.sql).
DROP TABLE IF EXISTS temp.why_pair;
CREATE TEMP TABLE why_pair AS
SELECT
  a.name AS from_snapshot, a.series_id AS from_series, a.taken_at AS from_moment,
  b.name AS to_snapshot, b.series_id AS to_series, b.taken_at AS to_moment,
  :stack AS stack, :package AS packages, CASE a.kind WHEN 'pages' THEN 'cached' ELSE 'all' END AS from_lists
FROM snapshot a
CROSS JOIN snapshot b
WHERE a.name = :from
  AND b.name = :to;

-- The specs of the two snapshots, in all stacks.
DROP TABLE IF EXISTS temp.why_present;
CREATE TEMP TABLE why_present (spec_id INTEGER PRIMARY KEY, in_from INTEGER NOT NULL, in_to INTEGER NOT NULL);
INSERT INTO why_present
SELECT p.spec_id, 1, 0
FROM why_pair q
CROSS JOIN presence p
  ON p.series_id = q.from_series
 AND +p.valid_from <= q.from_moment  -- no index: it is sooner read from end to end
 AND (p.valid_to IS NULL OR p.valid_to > q.from_moment)
ORDER BY p.spec_id;
INSERT INTO why_present
SELECT p.spec_id, 0, 1
FROM why_pair q
CROSS JOIN presence p
  ON p.series_id = q.to_series
 AND +p.valid_from <= q.to_moment
 AND (p.valid_to IS NULL OR p.valid_to > q.to_moment)
ORDER BY p.spec_id
ON CONFLICT (spec_id) DO UPDATE SET in_to = 1;

-- The added specs. Those with is_rebuilt are to be explained: nothing that they show of themselves is new. (A compiler that is
-- a dependency does not belong to the spec itself.)
DROP TABLE IF EXISTS temp.why_asked;
CREATE TEMP TABLE why_asked (spec_id INTEGER PRIMARY KEY, cause TEXT NOT NULL, is_rebuilt INTEGER NOT NULL);
INSERT INTO why_asked
SELECT d.spec_id, d.cause, d.cause IN ('rebuilt', 'copies') OR (d.cause = 'compiler' AND n.compiler_from IS 'edge')
FROM stack_drift d
CROSS JOIN asked_looks USING (look_id)
LEFT JOIN node n ON n.spec_id = d.spec_id
WHERE d.from_snapshot = :from
  AND d.to_snapshot = :to
  AND d.stack IS :stack
  AND d.change = 'added'
  AND d.package_id IN (SELECT package_id FROM package WHERE name GLOB :package);
