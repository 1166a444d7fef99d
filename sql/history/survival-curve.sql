-- title: How many builds outlive an age
-- The share of builds that become older than `age_days`, for all builds of a series, in percent: the curve of which
-- history/survival has the half-life. Like there, a build lives from the first snapshot that has it to the first that no longer
-- has it. Builds that were there when the series first observed their package are left out, because their age is not known. A
-- build that is still there counts as long as it was seen (the Kaplan-Meier estimate): `at_risk` is how many builds are
-- known to have become so old. There is a row where the share falls, at most one for each tenth of a percent; the last row
-- is the greatest age seen.
-- param: series glob = *        only series that match
-- param: package glob = *       only packages that match
-- param: stack glob = null      only builds that came in stacks that match; '(no stack)': in none
-- chart: curve: age_days share by series
-- caption: Share of builds that outlive an age
-- unit: days age_days
-- unit: % share
-- unit: builds at_risk
-- filters: looks
-- form: history/survival by day
WITH RECURSIVE observed AS MATERIALIZED (
  SELECT r.series_id, k.package_id,
    (SELECT o.taken_at FROM observations o
     WHERE o.series_id = r.series_id AND o.package_id = k.package_id
     ORDER BY o.taken_at LIMIT 1) AS first,
    (SELECT max(s.taken_at) FROM snapshot s WHERE s.series_id = r.series_id) AS newest
  FROM series r
  CROSS JOIN package k
  WHERE glob(:series, r.name) AND glob(:package, k.name)),
-- One row for each life whose begin is known. It ends with the first interval from its begin on at whose end the build went.
life AS MATERIALIZED (
  SELECT series_id, coalesce(ended, newest) - began AS age, CASE WHEN ended IS NULL THEN 0 ELSE 1 END AS gone
  FROM (
    SELECT p.series_id, o.newest, p.valid_from AS began,
      CASE WHEN p.went = 1 OR p.valid_to IS NULL THEN p.valid_to ELSE (
        SELECT min(e.valid_to) FROM presence e
        WHERE e.series_id = p.series_id AND e.package_id = p.package_id AND e.look_id = p.look_id AND e.spec_id = p.spec_id
          AND e.valid_from > p.valid_from AND e.went = 1) END AS ended
    FROM observed o
    CROSS JOIN presence p USING (series_id, package_id)
    CROSS JOIN asked_looks USING (look_id)
    WHERE p.came = 1
      AND p.valid_from > o.first
      AND (:stack IS NULL OR p.stack_set_id IN (
        SELECT stack_set_id FROM stack_set_stacks WHERE stack = :stack OR glob(:stack, stack)))) l),
by_age AS MATERIALIZED (
  SELECT series_id, age, sum(gone) AS gone, count(*) AS builds
  FROM life
  GROUP BY series_id, age),
reached AS MATERIALIZED (
  SELECT series_id, age, gone,
    sum(builds) OVER (PARTITION BY series_id ORDER BY age ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS at_risk
  FROM by_age),
-- The ages at which builds went, numbered.
fall AS MATERIALIZED (
  SELECT series_id, age, at_risk, 1 - CAST(gone AS DOUBLE PRECISION) / at_risk AS factor,
    row_number() OVER (PARTITION BY series_id ORDER BY age) AS place
  FROM reached
  WHERE gone > 0),
curve (series_id, place, age, at_risk, share, before) AS (
  SELECT series_id, CAST(0 AS BIGINT), CAST(0 AS BIGINT), max(at_risk), CAST(1 AS DOUBLE PRECISION), CAST(2 AS DOUBLE PRECISION)
  FROM reached
  GROUP BY series_id
  UNION ALL
  SELECT c.series_id, f.place, f.age, f.at_risk, c.share * f.factor, c.share
  FROM curve c
  CROSS JOIN fall f ON f.series_id = c.series_id AND f.place = c.place + 1),
told (series_id, age, at_risk, share) AS (
  SELECT series_id, age, at_risk, share
  FROM curve
  WHERE round(share * 1000) <> round(before * 1000)
     OR (share <= 0.5 AND before > 0.5)  -- the half-life
  UNION ALL
  SELECT e.series_id, e.age, e.at_risk, c.share
  FROM (SELECT series_id, max(age) AS age, min(at_risk) AS at_risk FROM reached GROUP BY series_id) e
  JOIN (SELECT series_id, min(share) AS share FROM curve GROUP BY series_id) c ON c.series_id = e.series_id
  WHERE e.age > (SELECT coalesce(max(f.age), 0) FROM fall f WHERE f.series_id = e.series_id))
SELECT
  r.name                      AS series,
  (20 * t.age + 86400) / 172800 / 10.0 AS age_days,  -- tenths of days, half up
  round(100.0 * t.share, 3)   AS share,
  t.at_risk
FROM told t
JOIN series r ON r.series_id = t.series_id
ORDER BY r.name, t.age;
