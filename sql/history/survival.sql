-- title: How long builds live
-- The half-life of builds: the age at which half of them are gone. There is a line for all builds of a series, one for each stack
-- and one for each package. A build lives from the first snapshot that has it to the first that no longer has it. So its age is known
-- as exactly as snapshots are close. A move to other stacks does not end it. One that went and came back counts twice.
-- `builds` are those whose begin is known: an earlier snapshot observed the package without them. Those that were there from the start
-- (`since_start`) are left out: how old they were then is not known. Of `builds`, `gone` are gone, and `there` are still there in the
-- newest snapshot: how old they will become is not known, only that they are as old as they are. `median_days` takes that into
-- account (Kaplan-Meier): at each age at which a build went, the share that outlives it is that of the builds which had become as old;
-- the half-life is the first age that at most half of all outlive. It is empty if more than half outlive the greatest age seen.
-- A build counts for each of the stacks in which it came; '(no stack)' has those that came in none.
-- param: series glob = *        only series that match
-- param: package glob = *       only packages that match
-- param: stack glob = null      only builds that came in stacks that match; '(no stack)': in none
-- filters: looks
-- The moment at which the series first observed each package.
WITH observed AS MATERIALIZED (
  SELECT r.series_id, k.package_id,
    (SELECT o.taken_at FROM observations o
     WHERE o.series_id = r.series_id AND o.package_id = k.package_id
     ORDER BY o.taken_at LIMIT 1) AS first,
    (SELECT max(s.taken_at) FROM snapshot s WHERE s.series_id = r.series_id) AS newest
  FROM series r
  CROSS JOIN package k
  WHERE glob(:series, r.name) AND glob(:package, k.name)),
-- One row for each life. It ends with the first interval from its begin on at whose end the build went.
life AS MATERIALIZED (
  SELECT p.series_id, p.package_id, p.stack_set_id, o.newest, p.valid_from AS began, p.valid_from = o.first AS since_start,
    CASE WHEN p.went = 1 OR p.valid_to IS NULL THEN p.valid_to ELSE (
      SELECT min(e.valid_to) FROM presence e
      WHERE e.series_id = p.series_id AND e.package_id = p.package_id AND e.look_id = p.look_id AND e.spec_id = p.spec_id
        AND e.valid_from > p.valid_from AND e.went = 1) END AS ended
  FROM observed o
  CROSS JOIN presence p USING (series_id, package_id)
  CROSS JOIN asked_looks USING (look_id)
  WHERE p.came = 1
    AND (:stack IS NULL OR p.stack_set_id IN (
      SELECT stack_set_id FROM stack_set_stacks WHERE stack = :stack OR glob(:stack, stack)))),
-- What happened at each age: how many builds went, and of how many nothing more is known.
aged AS MATERIALIZED (
  SELECT series_id, package_id, stack_set_id, coalesce(ended, newest) - began AS age,
    count(*) FILTER (WHERE NOT since_start AND ended IS NOT NULL) AS gone,
    count(*) FILTER (WHERE NOT since_start AND ended IS NULL)     AS there,
    count(*) FILTER (WHERE since_start)                           AS since_start
  FROM life
  GROUP BY series_id, package_id, stack_set_id, coalesce(ended, newest) - began),
member AS MATERIALIZED (SELECT stack_set_id, stack FROM stack_set_stacks WHERE stack <> 'root'),
-- position: 1 all, 2 a stack, 3 a package
grouped (series_id, position, name, age, gone, there, since_start) AS MATERIALIZED (
  SELECT series_id, 1, '', age, sum(gone), sum(there), sum(since_start) FROM aged GROUP BY series_id, age
  UNION ALL
  SELECT a.series_id, 2, m.stack, a.age, sum(a.gone), sum(a.there), sum(a.since_start)
  FROM (
    SELECT series_id, stack_set_id, age, sum(gone) AS gone, sum(there) AS there, sum(since_start) AS since_start
    FROM aged
    GROUP BY series_id, stack_set_id, age) a
  CROSS JOIN member m ON m.stack_set_id = a.stack_set_id
  WHERE :stack IS NULL OR m.stack = :stack OR glob(:stack, m.stack)
  GROUP BY a.series_id, m.stack, a.age
  UNION ALL
  SELECT a.series_id, 3, k.name, a.age, sum(a.gone), sum(a.there), sum(a.since_start)
  FROM aged a
  JOIN package k ON k.package_id = a.package_id
  GROUP BY a.series_id, k.name, a.age),
-- z is d / (2 n - d): d builds go at this age, of n that became so old.
factor AS (
  SELECT series_id, position, name, age, gone, there, since_start, 2 * gone > reached AS is_half,
    CAST(gone AS DOUBLE PRECISION) / nullif(2 * reached - gone, 0) AS z
  FROM (
    SELECT series_id, position, name, age, gone, there, since_start,
      sum(gone + there) OVER (PARTITION BY series_id, position, name ORDER BY age DESC) AS reached
    FROM grouped) e),
-- The logarithm of the share that outlives an age, as a sum: of one factor (n - d) / n it is -2 (z + z^3 / 3 + z^5 / 5 ...). Where more
-- than half go at once, any value beyond that of a half will do.
survival AS (
  SELECT series_id, position, name, age, gone, there, since_start,
    sum(CASE WHEN is_half THEN -1 ELSE -2 * z * (1 + z * z * (1.0 / 3 + z * z * (1.0 / 5 + z * z * (1.0 / 7 + z * z * (
      1.0 / 9 + z * z * (1.0 / 11 + z * z * (1.0 / 13 + z * z * (1.0 / 15 + z * z * (1.0 / 17 + z * z / 19))))))))) END)
      OVER (PARTITION BY series_id, position, name ORDER BY age) AS log_share
  FROM factor)
SELECT
  r.name                                                               AS series,
  CASE s.position WHEN 1 THEN 'all' WHEN 2 THEN 'stack' ELSE 'package' END AS what,
  nullif(s.name, '')                                                   AS name,
  sum(s.gone) + sum(s.there)                                           AS builds,
  sum(s.gone)                                                          AS gone,
  sum(s.there)                                                         AS there,
  sum(s.since_start)                                                   AS since_start,
  round(min(s.age) FILTER (WHERE s.log_share <= -0.693147180) / 86400.0, 1) AS median_days
FROM survival s
JOIN series r USING (series_id)
GROUP BY r.name, s.position, s.name
ORDER BY r.name, s.position, s.name;
