-- title: How long specs stay
-- A stay is one spec in one series, from the snapshot that first had it up to the first that had it no more; its age is
-- the time between the two, and for a spec that is still there the time up to the newest snapshot of the series.
-- Stays are counted by age: `gone` and `there` are those that began after the series had observed the package without the
-- spec; those of the columns `_since_start` were there when the series first observed the package, began nobody knows when,
-- and are at least so old. A move between stacks does not end a stay; a spec that went and came back stayed twice. Where a
-- snapshot did not observe a package, the package's last state holds.
-- An age belongs to the class that it reaches: a week to "1 to 4 weeks".
-- param: series glob = *        only series that match
-- param: package glob = *       only packages that match
WITH age (position, age, least, below) AS (
  VALUES
    (1, 'under 1 day', 0, 86400),
    (2, '1 to 7 days', 86400, 604800),
    (3, '1 to 4 weeks', 604800, 2419200),
    (4, '4 to 13 weeks', 2419200, 7862400),
    (5, '13 to 52 weeks', 7862400, 31449600),
    (6, '52 weeks or more', 31449600, 9223372036854775807)),
chosen AS MATERIALIZED (
  SELECT r.series_id, r.name AS series, max(s.taken_at) AS newest
  FROM series r
  JOIN snapshot s USING (series_id)
  WHERE r.name GLOB :series
  GROUP BY r.series_id),
-- When the series first observed each package.
observed AS MATERIALIZED (
  SELECT c.series_id, k.package_id,
    (SELECT o.taken_at
     FROM observations o
     WHERE o.series_id = c.series_id AND o.package_id = k.package_id
     ORDER BY o.taken_at
     LIMIT 1) AS first
  FROM chosen c
  CROSS JOIN package k
  WHERE k.name GLOB :package),
-- Stays that ended, back to where the first of their intervals began: those of one stay differ in their stacks, and
-- each begins where the one before it ends.
ended AS MATERIALIZED (
  SELECT
    p.series_id, p.package_id, p.valid_to AS moment,
    (SELECT b.valid_from
     FROM presence b
     WHERE b.series_id = p.series_id AND b.package_id = p.package_id
       AND b.look_id = p.look_id AND b.spec_id = p.spec_id
       AND b.valid_from <= p.valid_from
       AND NOT EXISTS (
         SELECT 1 FROM presence c
         WHERE c.series_id = b.series_id AND c.package_id = b.package_id
           AND c.look_id = b.look_id AND c.spec_id = b.spec_id
           AND c.valid_from < b.valid_from AND c.valid_to = b.valid_from)
     ORDER BY b.valid_from DESC
     LIMIT 1) AS began
  FROM presence p
  WHERE p.valid_to IS NOT NULL
    AND NOT EXISTS (
      SELECT 1 FROM presence q
      WHERE q.series_id = p.series_id AND q.package_id = p.package_id
        AND q.look_id = p.look_id AND q.spec_id = p.spec_id
        AND q.valid_from = p.valid_to)),
gone AS MATERIALIZED (
  SELECT e.series_id, e.began, e.moment AS ended, e.began = o.first AS since_start, count(*) AS stays
  FROM ended e
  JOIN observed o USING (series_id, package_id)
  GROUP BY e.series_id, e.began, e.moment, since_start),
-- What began and did not end is there: all intervals that begin, less those that go on from another, less what is gone.
step (series_id, began, ended, since_start, stays) AS (
  SELECT t.series_id, t.valid_from, NULL, t.valid_from = o.first, t.stays
  FROM (
    SELECT series_id, valid_from, package_id, count(*) AS stays
    FROM presence
    GROUP BY series_id, valid_from, package_id) t
  JOIN observed o USING (series_id, package_id)
  UNION ALL
  SELECT q.series_id, q.valid_from, NULL, 0, -1
  FROM presence p
  CROSS JOIN presence q
    ON q.series_id = p.series_id
   AND q.package_id = p.package_id
   AND q.look_id = p.look_id
   AND q.spec_id = p.spec_id
   AND q.valid_from = p.valid_to
  CROSS JOIN observed o ON o.series_id = q.series_id AND o.package_id = q.package_id
  WHERE p.valid_to IS NOT NULL
  UNION ALL
  SELECT series_id, began, NULL, since_start, -stays FROM gone
  UNION ALL
  SELECT series_id, began, ended, since_start, stays FROM gone),
stay AS MATERIALIZED (
  SELECT series_id, began, ended, since_start, sum(stays) AS stays
  FROM step
  GROUP BY series_id, began, ended, since_start),
aged AS MATERIALIZED (
  SELECT
    t.series_id,
    ifnull(t.ended, c.newest) - t.began AS age,
    t.ended IS NOT NULL                 AS is_gone,
    t.since_start,
    t.stays
  FROM stay t
  JOIN chosen c USING (series_id))
SELECT
  c.series,
  a.age,
  ifnull(sum(g.stays) FILTER (WHERE g.is_gone AND NOT g.since_start), 0)     AS gone,
  ifnull(sum(g.stays) FILTER (WHERE NOT g.is_gone AND NOT g.since_start), 0) AS there,
  ifnull(sum(g.stays) FILTER (WHERE g.is_gone AND g.since_start), 0)         AS gone_since_start,
  ifnull(sum(g.stays) FILTER (WHERE NOT g.is_gone AND g.since_start), 0)     AS there_since_start
FROM chosen c
CROSS JOIN age a
LEFT JOIN aged g ON g.series_id = c.series_id AND g.age >= a.least AND g.age < a.below
GROUP BY c.series, a.position
ORDER BY c.series, a.position;
