-- title: Stacks from snapshot to snapshot
-- For each stack and each snapshot that has it: the number of packages and builds, and how many builds were added and
-- removed since the snapshot before. These are builds that came or went, and those that joined or left the stack. In
-- the first snapshot of a series all builds are added. The snapshot in which the last builds left a stack has a row,
-- too. `root`, the union of all stacks, is left out; '(no stack)' has the builds that are in none. Builds whose page
-- does not give stacks are left out. `added` leaves out a package that the series had not observed yet: earlier
-- snapshots were partial, or could not read its page. It also leaves out a build of which the stacks before are not
-- known: whether it is new there is not known.
-- param: series glob = *        only series that match
-- param: package glob = *       only packages that match
-- param: stack glob = null      only stacks that match; '(no stack)': in none
-- implied: series taken_at
-- chart: lines: taken_at specs by series stack
-- caption: Builds of each stack in each snapshot
-- unit: builds specs added removed
-- filters: looks
-- form: history/growth by stack
WITH asked_series AS MATERIALIZED (
  SELECT r.series_id,
    (SELECT min(s.taken_at) FROM snapshot s WHERE s.series_id = r.series_id) AS start,
    CASE WHEN :package = '*' THEN 1 ELSE 0 END                               AS all_packages,
    CASE WHEN (SELECT count(*) FROM asked_looks) = (SELECT count(*) FROM look) THEN 1 ELSE 0 END AS all_looks
  FROM series r
  WHERE glob(:series, r.name)),
-- The packages that a series first observed after its first snapshot.
late AS MATERIALIZED (
  SELECT series_id, package_id, first
  FROM (
    SELECT r.series_id, k.package_id, r.start,
      (SELECT o.taken_at FROM observations o
       WHERE o.series_id = r.series_id AND o.package_id = k.package_id
       ORDER BY o.taken_at LIMIT 1) AS first
    FROM asked_series r
    CROSS JOIN package k
    WHERE glob(:package, k.name)) e
  WHERE first > start),
-- What happened in each stack set: how many specs of a package it has more, or fewer, and how many came to the cache or went
-- from it. A spec that came when the series first observed its package is not counted as one that came. The indexes of presence have
-- all columns, and nearly the order of the groups, so that sorting them takes half the time.
of_set AS MATERIALIZED (
  SELECT moment, package_id, stack_set_id, series_id, sum(more) AS more, sum(came) AS came, sum(went) AS went
  FROM (
    SELECT p.series_id, p.package_id, p.valid_from AS moment, p.stack_set_id, 1 AS more, p.came, 0 AS went
    FROM asked_series r
    CROSS JOIN presence p ON p.series_id = r.series_id AND p.valid_from >= r.start
    WHERE (r.all_packages = 1 OR p.package_id IN (SELECT package_id FROM package WHERE glob(:package, name)))
      AND (r.all_looks = 1 OR EXISTS (SELECT 1 FROM asked_looks l WHERE l.look_id = p.look_id))
    UNION ALL
    SELECT p.series_id, p.package_id, p.valid_to, p.stack_set_id, -1, 0, p.went
    FROM asked_series r
    CROSS JOIN presence p ON p.series_id = r.series_id AND p.valid_to > r.start
    WHERE (r.all_packages = 1 OR p.package_id IN (SELECT package_id FROM package WHERE glob(:package, name)))
      AND (r.all_looks = 1 OR EXISTS (SELECT 1 FROM asked_looks l WHERE l.look_id = p.look_id))
    UNION ALL
    SELECT p.series_id, p.package_id, p.valid_from, p.stack_set_id, 0, -p.came, 0
    FROM late c
    CROSS JOIN presence p USING (series_id, package_id)
    CROSS JOIN asked_looks USING (look_id)
    WHERE p.valid_from = c.first) e
  GROUP BY moment, package_id, stack_set_id, series_id),
-- Specs that moved from one stack set to another, where both are known. Without the + SQLite would search the index once for each
-- snapshot and package, which took a fifth of the whole.
moved AS MATERIALIZED (
  SELECT s.series_id, s.taken_at AS moment, b.stack_set_id AS before_id, p.stack_set_id AS after_id, count(*) AS specs
  FROM snapshot s
  CROSS JOIN presence p ON p.series_id = s.series_id AND p.valid_from = s.taken_at AND p.came = 0
  CROSS JOIN asked_looks l ON l.look_id = p.look_id
  CROSS JOIN presence b
    ON b.series_id = p.series_id
   AND b.package_id = p.package_id
   AND b.look_id = p.look_id
   AND b.spec_id = p.spec_id
   AND b.valid_to = p.valid_from
  WHERE s.series_id IN (SELECT series_id FROM series WHERE glob(:series, name))
    AND +p.package_id IN (SELECT package_id FROM package WHERE glob(:package, name))
    AND b.stack_set_id <> p.stack_set_id
  GROUP BY s.series_id, s.taken_at, b.stack_set_id, p.stack_set_id),
-- The id of each stack of a set; 0 for '(no stack)'.
member AS MATERIALIZED (
  SELECT s.stack_set_id, coalesce(t.stack_id, 0) AS stack_id
  FROM stack_set_stacks s
  LEFT JOIN stack t ON t.name = s.stack
  WHERE t.is_root IS DISTINCT FROM 1
    AND (:stack IS NULL OR s.stack = :stack OR glob(:stack, s.stack))),
of_package AS (
  SELECT
    o.series_id, m.stack_id, o.moment, sum(o.more) AS more,
    sum(sum(o.more)) OVER (PARTITION BY o.series_id, o.package_id, m.stack_id ORDER BY o.moment) AS specs
  FROM of_set o
  CROSS JOIN member m ON m.stack_set_id = o.stack_set_id
  WHERE o.more <> 0
  GROUP BY o.series_id, o.package_id, m.stack_id, o.moment),
-- A package came if the stack has as many specs of it as it has more, and went if the stack has none.
of_packages AS MATERIALIZED (
  SELECT series_id, stack_id, moment,
    count(*) FILTER (WHERE more > 0) - count(*) FILTER (WHERE more < 0) AS more_packages
  FROM of_package
  WHERE (more > 0 AND specs = more) OR (more < 0 AND specs = 0)
  GROUP BY series_id, stack_id, moment),
-- Grouped without the package first, so that fewer rows meet the stacks of their set.
of_moment AS MATERIALIZED (
  SELECT moment, stack_set_id, series_id, sum(more) AS more, sum(came) AS came, sum(went) AS went
  FROM of_set
  GROUP BY moment, stack_set_id, series_id),
of_stack AS MATERIALIZED (
  SELECT e.series_id, m.stack_id, e.moment, sum(e.more) AS more, sum(e.added) AS added, sum(e.removed) AS removed
  FROM (
    SELECT series_id, moment, stack_set_id, NULL AS other_id, more, came AS added, went AS removed FROM of_moment
    UNION ALL
    SELECT series_id, moment, after_id, before_id, 0, specs, 0 FROM moved
    UNION ALL
    SELECT series_id, moment, before_id, after_id, 0, 0, specs FROM moved) e
  CROSS JOIN member m ON m.stack_set_id = e.stack_set_id
  WHERE e.other_id IS NULL
    OR NOT EXISTS (SELECT 1 FROM member o WHERE o.stack_set_id = e.other_id AND o.stack_id = m.stack_id)
  GROUP BY e.moment, m.stack_id, e.series_id),
counted AS (
  SELECT
    s.series_id, s.name, s.taken_at, b.stack_id,
    sum(coalesce(k.more_packages, 0)) OVER until_now AS packages,
    sum(coalesce(h.more, 0)) OVER until_now          AS specs,
    coalesce(h.added, 0)                             AS added,
    coalesce(h.removed, 0)                           AS removed
  FROM (SELECT series_id, stack_id, min(moment) AS first FROM of_stack GROUP BY series_id, stack_id) b
  CROSS JOIN snapshot s ON s.series_id = b.series_id AND s.taken_at >= b.first
  LEFT JOIN of_stack h ON h.series_id = b.series_id AND h.stack_id = b.stack_id AND h.moment = s.taken_at
  LEFT JOIN of_packages k ON k.series_id = b.series_id AND k.stack_id = b.stack_id AND k.moment = s.taken_at
  WINDOW until_now AS (PARTITION BY b.series_id, b.stack_id ORDER BY s.taken_at))
SELECT
  r.name                                                  AS series,
  coalesce(k.name, '(no stack)')                          AS stack,
  c.name                                                  AS snapshot,
  strftime('%Y-%m-%dT%H:%M:%SZ', c.taken_at, 'unixepoch') AS taken_at,
  c.packages,
  c.specs,
  c.added,
  c.removed
FROM counted c
JOIN series r ON r.series_id = c.series_id
LEFT JOIN stack k ON k.stack_id = c.stack_id
WHERE c.specs > 0 OR c.removed > 0
ORDER BY r.name, k.name NULLS LAST, c.taken_at;
