-- title: Most rebuilt packages
-- Packages with rebuilt builds (another hash, no visible change): in how many snapshots, how many builds, and when last.
-- `specs` is the sum of what drift/summary counts as rebuilt from each snapshot to the next one of the series.
-- param: series glob = *        only series that match
-- param: package glob = *       only packages that match
-- chart: bars: package specs each series
-- caption: Builds rebuilt without a visible change, in all snapshots
-- unit: builds specs
WITH asked_package AS MATERIALIZED (
  SELECT package_id FROM package WHERE glob(:package, name)),
-- Where only some packages are asked: for each of their looks and moments, how many builds were added and removed.
move AS MATERIALIZED (
  SELECT series_id, moment, package_id, look_id, sum(came) AS added, sum(went) AS removed
  FROM (
    SELECT p.series_id, p.valid_from AS moment, p.package_id, p.look_id, p.came, 0 AS went
    FROM series r
    CROSS JOIN asked_package k
    CROSS JOIN presence p ON p.series_id = r.series_id AND p.package_id = k.package_id
    WHERE :package <> '*' AND glob(:series, r.name)
    UNION ALL
    SELECT p.series_id, p.valid_to, p.package_id, p.look_id, 0, p.went
    FROM series r
    CROSS JOIN asked_package k
    CROSS JOIN presence p ON p.series_id = r.series_id AND p.package_id = k.package_id
    -- The last condition never holds: with a condition on presence alone SQLite would first read all of it (a Bloom filter).
    WHERE :package <> '*' AND glob(:series, r.name) AND (p.valid_to IS NOT NULL OR p.series_id <> r.series_id)) e
  GROUP BY series_id, moment, package_id, look_id),
-- For each look and moment with added builds: how many were added, and how many removed.
came AS MATERIALIZED (
  SELECT s.series_id, s.taken_at AS moment, p.package_id, p.look_id, count(*) AS added,
    (SELECT count(*) FROM presence q
     WHERE q.series_id = s.series_id AND q.valid_to = s.taken_at AND q.went = 1
       AND q.package_id = p.package_id AND q.look_id = p.look_id) AS removed
  FROM snapshot s
  CROSS JOIN presence p ON p.series_id = s.series_id AND p.valid_from = s.taken_at AND p.came = 1
  WHERE :package = '*'
    AND (:series = '*' OR s.series_id IN (SELECT series_id FROM series WHERE glob(:series, name)))
    AND s.taken_at > (SELECT min(o.taken_at) FROM snapshot o WHERE o.series_id = s.series_id)
  GROUP BY s.series_id, s.taken_at, p.package_id, p.look_id
  UNION ALL
  SELECT series_id, moment, package_id, look_id, added, removed
  FROM move m
  WHERE m.added > 0
    AND m.moment > (SELECT min(o.taken_at) FROM snapshot o WHERE o.series_id = m.series_id)),
alike AS MATERIALIZED (
  SELECT g.none_id, g.look_id, g.other_id
  FROM asked_package k
  CROSS JOIN look n USING (package_id)
  CROSS JOIN look_groups g ON g.none_id = n.look_id),
-- Looks with more added than removed specs, each with the looks that differ from it only in the compiler.
rival AS MATERIALIZED (
  SELECT c.series_id, c.moment, c.package_id, a.none_id, c.look_id, c.added - c.removed AS more, a.other_id,
    CASE WHEN :package = '*'
      THEN (SELECT count(*) FROM presence p
            WHERE p.series_id = c.series_id AND p.valid_from = c.moment AND p.came = 1
              AND p.package_id = c.package_id AND p.look_id = a.other_id)
        - (SELECT count(*) FROM presence p
           WHERE p.series_id = c.series_id AND p.valid_to = c.moment AND p.went = 1
             AND p.package_id = c.package_id AND p.look_id = a.other_id)
      ELSE coalesce((SELECT m.added - m.removed FROM move m
                     WHERE m.series_id = c.series_id AND m.moment = c.moment AND m.package_id = c.package_id
                       AND m.look_id = a.other_id), 0)
    END AS other_more
  FROM came c
  CROSS JOIN alike a USING (look_id)
  WHERE c.added > c.removed),
left_over AS (
  SELECT series_id, moment, package_id, none_id, look_id, more FROM rival WHERE other_more < 0
  UNION
  SELECT series_id, moment, package_id, none_id, other_id, other_more FROM rival WHERE other_more < 0),
-- Added and removed specs of a look are rebuilt, in pairs. So are the extra ones of looks that differ only in the compiler, if
-- 1. the look without compiler is present before or after the moment, and
-- 2. the look has no compiler, or it or the one without is in the other snapshot (added: moment - 1, removed: moment).
rebuilt AS (
  SELECT series_id, moment, package_id, min(added, removed) AS specs FROM came
  UNION ALL
  SELECT o.series_id, o.moment, o.package_id, min(sum(more) FILTER (WHERE more > 0), -sum(more) FILTER (WHERE more < 0))
  FROM left_over o
  WHERE EXISTS (
      SELECT 1 FROM presence p WHERE p.series_id = o.series_id AND p.package_id = o.package_id AND p.look_id = o.none_id
        AND p.valid_from <= o.moment AND (p.valid_to IS NULL OR p.valid_to >= o.moment))
    AND (o.look_id = o.none_id OR EXISTS (
      SELECT 1 FROM presence p WHERE p.series_id = o.series_id AND p.package_id = o.package_id
        AND p.look_id IN (o.none_id, o.look_id)
        AND p.valid_from <= o.moment - CASE WHEN o.more > 0 THEN 1 ELSE 0 END
        AND (p.valid_to IS NULL OR p.valid_to > o.moment - CASE WHEN o.more > 0 THEN 1 ELSE 0 END)))
  GROUP BY o.series_id, o.moment, o.package_id, o.none_id)
SELECT r.name AS series, k.name AS package, t.snapshots, t.specs,
  strftime('%Y-%m-%dT%H:%M:%SZ', t.last, 'unixepoch') AS last_rebuilt
FROM (
  SELECT series_id, package_id, count(DISTINCT moment) AS snapshots, sum(specs) AS specs, max(moment) AS last
  FROM rebuilt
  WHERE specs > 0
  GROUP BY series_id, package_id) t
JOIN series r USING (series_id)
JOIN package k USING (package_id)
ORDER BY t.snapshots DESC, t.specs DESC, r.name, k.name;
