-- title: How long builds stay
-- The number of stays of builds, by age. A stay is one build in one series, from the first snapshot that has it to the
-- first that no longer has it; its age is the time between these two. The stay of a build that is still present ends at
-- the newest snapshot of the series. A build that went and came back has two stays; a move to other stacks ends none.
-- Between two observations of a package its last state holds.
-- `gone` and `there` count stays whose begin is known: an earlier snapshot observed the package without the build.
-- `gone_since_start` and `there_since_start` count builds that were present when the series first observed the package;
-- their age is a minimum. A class includes its lower limit: an age of exactly one week is in "1 to 4 weeks".
-- param: series glob = *        only series that match
-- param: package glob = *       only packages that match
-- chart: bars: age gone there gone_since_start there_since_start each series
-- caption: Stays of builds, by age
-- unit: stays gone there gone_since_start there_since_start
-- filters: looks
-- form: history/survival by age
WITH age (position, age) AS (
  VALUES (1, 'under 1 day'), (2, '1 to 7 days'), (3, '1 to 4 weeks'), (4, '4 to 13 weeks'), (5, '13 to 52 weeks'),
    (6, '52 weeks or more')),
-- The moment at which the series first observed each package.
observed AS MATERIALIZED (
  SELECT r.series_id, k.package_id,
    (SELECT o.taken_at FROM observations o
     WHERE o.series_id = r.series_id AND o.package_id = k.package_id
     ORDER BY o.taken_at LIMIT 1) AS first,
    (SELECT max(s.taken_at) FROM snapshot s WHERE s.series_id = r.series_id) AS newest
  FROM series r
  CROSS JOIN package k
  WHERE glob(:series, r.name) AND glob(:package, k.name)),
-- One row for each stay: its last interval. If the spec did not come at the begin of that interval, the stay began with
-- the newest earlier interval at whose begin it came.
ended AS NOT MATERIALIZED (
  SELECT o.series_id, o.first, p.valid_to, coalesce(p.valid_to, o.newest) AS until,
    CASE p.came WHEN 1 THEN p.valid_from ELSE (
      SELECT max(b.valid_from) FROM presence b
      WHERE b.series_id = p.series_id AND b.package_id = p.package_id AND b.look_id = p.look_id AND b.spec_id = p.spec_id
        AND b.valid_from < p.valid_from AND b.came = 1) END AS began
  FROM observed o
  CROSS JOIN presence p USING (series_id, package_id)
  CROSS JOIN asked_looks USING (look_id)
  WHERE p.went = 1 OR p.valid_to IS NULL),
stay AS MATERIALIZED (
  SELECT series_id, until - began AS seconds, valid_to IS NOT NULL AS is_gone, began = first AS since_start FROM ended),
counted AS MATERIALIZED (
  SELECT series_id,
    CASE WHEN seconds < 86400 THEN 1 WHEN seconds < 604800 THEN 2 WHEN seconds < 2419200 THEN 3
         WHEN seconds < 7862400 THEN 4 WHEN seconds < 31449600 THEN 5 ELSE 6 END AS position,
    count(*) FILTER (WHERE is_gone AND NOT since_start)     AS gone,
    count(*) FILTER (WHERE NOT is_gone AND NOT since_start) AS there,
    count(*) FILTER (WHERE is_gone AND since_start)         AS gone_since_start,
    count(*) FILTER (WHERE NOT is_gone AND since_start)     AS there_since_start
  FROM stay
  GROUP BY series_id, position)
SELECT
  r.name                         AS series,
  a.age,
  coalesce(c.gone, 0)              AS gone,
  coalesce(c.there, 0)             AS there,
  coalesce(c.gone_since_start, 0)  AS gone_since_start,
  coalesce(c.there_since_start, 0) AS there_since_start
FROM series r
CROSS JOIN age a
LEFT JOIN counted c ON c.series_id = r.series_id AND c.position = a.position
WHERE glob(:series, r.name) AND EXISTS (SELECT 1 FROM snapshot s WHERE s.series_id = r.series_id)
ORDER BY r.name, a.position;
