-- All specs that a snapshot of the series had until its snapshot at :newest: the moment of the newest snapshot that has the spec,
-- and its stacks there. Where a snapshot did not observe a package, the state of the package before it holds.
-- SQLite takes the stack set from the row that has the greatest end.
SELECT
  e.spec_id,
  CASE WHEN e.ended > :newest THEN :newest ELSE (
    SELECT max(s.taken_at) FROM snapshot s WHERE s.series_id = :series_id AND s.taken_at < e.ended) END AS last_seen,
  e.stack_set_id
FROM (
  SELECT p.spec_id, p.stack_set_id, max(coalesce(p.valid_to, 9223372036854775807)) AS ended
  FROM presence p
  WHERE p.series_id = :series_id AND +p.valid_from <= :newest
  GROUP BY p.package_id, p.look_id, p.spec_id) e;
