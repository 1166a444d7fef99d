-- title: How long builds live
-- The half-life of builds: the age at which half of them are gone. There is a line for all builds of a series, one for
-- each stack and one for each package. A build lives from the first snapshot that has it to the first that no longer
-- has it. The more often there are snapshots, the more exact is its age. A move to other stacks does not end it. A
-- build that went and came back counts twice. `builds` are those whose begin is known: an earlier snapshot observed the
-- package without them. `since_start` counts the others, which are left out: they were there from the start. Of
-- `builds`, `gone` are gone, and `there` are in the newest snapshot and may become older. `median_days` takes that into
-- account (the Kaplan-Meier estimate): it is the first age that at most half of the builds outlive, and empty if more
-- than half outlive the greatest age seen. A build counts for each of the stacks in which it came; '(no stack)' has
-- those that came in none.
-- param: series glob = *        only series that match
-- param: package glob = *       only packages that match
-- param: stack glob = null      only builds that came in stacks that match; '(no stack)': in none
-- filters: looks
-- form: history/survival by name
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
  SELECT series_id, package_id, stack_set_id, coalesce(ended, newest) - began AS age,
    CASE WHEN began > first AND ended IS NOT NULL THEN 1 ELSE 0 END AS gone,
    CASE WHEN began > first AND ended IS NULL THEN 1 ELSE 0 END     AS there,
    CASE WHEN began > first THEN 0 ELSE 1 END                       AS since_start
  FROM (
    SELECT p.series_id, p.package_id, p.stack_set_id, o.newest, o.first, p.valid_from AS began,
      CASE WHEN p.went = 1 OR p.valid_to IS NULL THEN p.valid_to ELSE (
        SELECT min(e.valid_to) FROM presence e
        WHERE e.series_id = p.series_id AND e.package_id = p.package_id AND e.look_id = p.look_id AND e.spec_id = p.spec_id
          AND e.valid_from > p.valid_from AND e.went = 1) END AS ended
    FROM observed o
    CROSS JOIN presence p USING (series_id, package_id)
    CROSS JOIN asked_looks USING (look_id)
    WHERE p.came = 1
      AND (:stack IS NULL OR p.stack_set_id IN (
        SELECT stack_set_id FROM stack_set_stacks WHERE stack = :stack OR glob(:stack, stack)))) l),
-- What happened at each age: how many builds went, and of how many nothing more is known.
by_stack_set AS MATERIALIZED (
  SELECT series_id, stack_set_id, age, sum(gone) AS gone, sum(there) AS there, sum(since_start) AS since_start
  FROM life
  GROUP BY series_id, stack_set_id, age),
-- id: of the stack, 0 for '(no stack)'
member AS MATERIALIZED (
  SELECT m.stack_set_id, coalesce(t.stack_id, 0) AS id
  FROM stack_set_stacks m
  LEFT JOIN stack t ON t.name = m.stack
  WHERE m.stack <> 'root' AND (:stack IS NULL OR m.stack = :stack OR glob(:stack, m.stack))),
-- position: 1 all, 2 a stack, 3 a package; id: of the stack or the package
grouped (series_id, position, id, age, gone, there, since_start) AS MATERIALIZED (
  SELECT series_id, 1, 0, age, sum(gone), sum(there), sum(since_start) FROM by_stack_set GROUP BY series_id, age
  UNION ALL
  SELECT a.series_id, 2, m.id, a.age, sum(a.gone), sum(a.there), sum(a.since_start)
  FROM by_stack_set a
  CROSS JOIN member m ON m.stack_set_id = a.stack_set_id
  GROUP BY a.series_id, m.id, a.age
  UNION ALL
  SELECT series_id, 3, package_id, age, sum(gone), sum(there), sum(since_start)
  FROM life
  GROUP BY series_id, package_id, age),
-- z is d / (2 n - d): d builds go at this age, of n that became so old. An age occurs once in a line, so that ROWS counts what RANGE
-- would count, in less time.
factor AS (
  SELECT series_id, position, id, age, gone, there, since_start, 2 * gone > reached AS is_half,
    CAST(gone AS DOUBLE PRECISION) / nullif(2 * reached - gone, 0) AS z
  FROM (
    SELECT series_id, position, id, age, gone, there, since_start,
      sum(gone + there) OVER (PARTITION BY series_id, position, id ORDER BY age ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS reached
    FROM grouped) e),
-- The logarithm of the share that outlives an age, as a sum: of one factor (n - d) / n it is -2 (z + z^3 / 3 + z^5 / 5 ...). Where more
-- than half go at once, any value beyond that of a half will do.
survival AS (
  SELECT series_id, position, id, age, gone, there, since_start,
    sum(CASE WHEN is_half THEN -1 ELSE -2 * z * (1 + z * z * (1.0 / 3 + z * z * (1.0 / 5 + z * z * (1.0 / 7 + z * z * (
      1.0 / 9 + z * z * (1.0 / 11 + z * z * (1.0 / 13 + z * z * (1.0 / 15 + z * z * (1.0 / 17 + z * z / 19))))))))) END)
      OVER (PARTITION BY series_id, position, id ORDER BY age ROWS UNBOUNDED PRECEDING) AS log_share
  FROM factor)
SELECT
  r.name                                                                            AS series,
  CASE s.position WHEN 1 THEN 'all' WHEN 2 THEN 'stack' ELSE 'package' END          AS what,
  CASE s.position WHEN 2 THEN coalesce(t.name, '(no stack)') WHEN 3 THEN k.name END AS name,
  s.gone + s.there                                                                  AS builds,
  s.gone,
  s.there,
  s.since_start,
  s.median_days
FROM (
  SELECT series_id, position, id, sum(gone) AS gone, sum(there) AS there, sum(since_start) AS since_start,
    (20 * min(age) FILTER (WHERE log_share <= -0.693147180) + 86400) / 172800 / 10.0 AS median_days  -- tenths of days, half up
  FROM survival
  GROUP BY series_id, position, id) s
JOIN series r ON r.series_id = s.series_id
LEFT JOIN stack t ON s.position = 2 AND t.stack_id = s.id
LEFT JOIN package k ON s.position = 3 AND k.package_id = s.id
ORDER BY r.name, s.position, name;
