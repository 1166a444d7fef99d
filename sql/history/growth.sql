-- title: Growth from snapshot to snapshot
-- The number of packages and builds in each snapshot, and how many builds were added and removed since the snapshot
-- before it. In the first snapshot of a series all builds are added. `packages` and `specs` count every package.
-- `added`, `removed` and `churn` leave out a package that the series had not observed yet (earlier snapshots were
-- partial, or could not read its page): whether its builds are new is not known. A build that only moved to other
-- stacks is neither added nor removed. With filters such as --target, only builds that match are counted, and packages
-- that have such builds. `churn` is 100 * (added + removed) / (builds before + builds now), in percent: 0 means that
-- nothing changed, 100 that all builds were replaced. It is empty in the first snapshot of a series, and if there are
-- no builds before and now.
-- param: series glob = *        only series that match
-- param: package glob = *       only packages that match
-- implied: series taken_at
-- chart: lines: taken_at specs by series
-- caption: Builds in each snapshot
-- unit: builds specs added removed
-- unit: % churn
-- filters: looks
-- form: history/growth by series
WITH asked_package AS MATERIALIZED (
  SELECT package_id FROM package WHERE glob(:package, name)),
-- Whether all their looks are asked.
asked AS MATERIALIZED (
  SELECT CASE WHEN (SELECT count(*) FROM asked_package CROSS JOIN asked_looks USING (package_id))
    = (SELECT count(*) FROM asked_package CROSS JOIN look USING (package_id)) THEN 1 ELSE 0 END AS all_looks),
-- The moment at which each package was first observed.
chosen AS MATERIALIZED (
  SELECT r.series_id, k.package_id,
    (SELECT o.taken_at FROM observations o
     WHERE o.series_id = r.series_id AND o.package_id = k.package_id
     ORDER BY o.taken_at LIMIT 1) AS first
  FROM series r
  CROSS JOIN asked_package k
  WHERE glob(:series, r.name)),
-- Where only some looks or packages are asked: the intervals of their specs.
asked_presence AS MATERIALIZED (
  SELECT p.series_id, p.package_id, p.valid_from, p.valid_to, p.came, p.went
  FROM asked a
  CROSS JOIN chosen c
  CROSS JOIN presence p USING (series_id, package_id)
  WHERE (a.all_looks = 0 OR :package <> '*')
    AND (a.all_looks = 1 OR EXISTS (SELECT 1 FROM asked_looks l WHERE l.look_id = p.look_id))),
-- How many of them came and went, at each moment.
asked_step AS MATERIALIZED (
  SELECT series_id, moment, sum(came) AS came, sum(went) AS went
  FROM (
    SELECT series_id, valid_from AS moment, came, 0 AS went FROM asked_presence
    UNION ALL
    SELECT series_id, valid_to, 0, went FROM asked_presence WHERE valid_to IS NOT NULL) e
  GROUP BY series_id, moment),
-- The moments at which packages came and went. A package is present while its page lists specs; pages are fewer than specs. If
-- only some looks are asked, it is present while it has specs of these.
package_step AS MATERIALIZED (
  SELECT series_id, valid_from, valid_to, came, went
  FROM (
    SELECT p.series_id, p.valid_from, p.valid_to,
      lag(p.valid_to) OVER package_in_time IS DISTINCT FROM p.valid_from  AS came,
      lead(p.valid_from) OVER package_in_time IS DISTINCT FROM p.valid_to AS went
    FROM asked a
    CROSS JOIN chosen c
    CROSS JOIN page_presence p USING (series_id, package_id)
    WHERE a.all_looks = 1 AND p.page_id NOT IN (SELECT page_id FROM page WHERE num_specs = 0)
    WINDOW package_in_time AS (PARTITION BY p.series_id, p.package_id ORDER BY p.valid_from)) e
  WHERE came OR went
  UNION ALL
  SELECT series_id, moment, moment, more > 0 AND specs = more, more < 0 AND specs = 0
  FROM (
    SELECT series_id, moment, sum(more) AS more,
      sum(sum(more)) OVER (PARTITION BY series_id, package_id ORDER BY moment) AS specs
    FROM (
      SELECT series_id, package_id, valid_from AS moment, came AS more FROM asked_presence
      UNION ALL
      SELECT series_id, package_id, valid_to, -went FROM asked_presence WHERE valid_to IS NOT NULL) e
    WHERE (SELECT all_looks FROM asked) = 0
    GROUP BY series_id, package_id, moment) e),
step AS MATERIALIZED (
  SELECT s.series_id, s.name, s.taken_at,
    (SELECT count(*) FROM package_step t WHERE t.series_id = s.series_id AND t.valid_from = s.taken_at AND t.came)
    - (SELECT count(*) FROM package_step t WHERE t.series_id = s.series_id AND t.valid_to = s.taken_at AND t.went)
      AS packages,
    CASE WHEN a.all_looks = 1 AND :package = '*'
      THEN (SELECT count(*) FROM presence p WHERE p.series_id = s.series_id AND p.valid_from = s.taken_at AND p.came = 1)
      ELSE coalesce((SELECT t.came FROM asked_step t WHERE t.series_id = s.series_id AND t.moment = s.taken_at), 0)
    END AS came,
    CASE WHEN a.all_looks = 1 AND :package = '*'
      THEN (SELECT count(*) FROM presence p WHERE p.series_id = s.series_id AND p.valid_to = s.taken_at AND p.went = 1)
      ELSE coalesce((SELECT t.went FROM asked_step t WHERE t.series_id = s.series_id AND t.moment = s.taken_at), 0)
    END AS went,
    CASE WHEN s.taken_at > (SELECT min(o.taken_at) FROM snapshot o WHERE o.series_id = s.series_id)
      THEN (SELECT count(*) FROM chosen c CROSS JOIN presence p USING (series_id, package_id)
            WHERE c.series_id = s.series_id AND c.first = s.taken_at AND p.valid_from = c.first AND p.came = 1
              AND (a.all_looks = 1 OR EXISTS (SELECT 1 FROM asked_looks l WHERE l.look_id = p.look_id)))
    END AS first_observed
  FROM asked a
  CROSS JOIN snapshot s
  WHERE s.series_id IN (SELECT series_id FROM series WHERE glob(:series, name)))
SELECT r.name AS series, t.name AS snapshot, strftime('%Y-%m-%dT%H:%M:%SZ', t.taken_at, 'unixepoch') AS taken_at,
  t.packages_now                       AS packages,
  t.specs_now                          AS specs,
  t.came - coalesce(t.first_observed, 0) AS added,
  t.went                               AS removed,
  -- Rounded half up to tenths, in integers.
  (2000 * (t.came - t.first_observed + t.went) + t.before_and_now) / nullif(2 * t.before_and_now, 0) / 10.0 AS churn
FROM (
  SELECT *,
    sum(packages) OVER until_now    AS packages_now,
    sum(came - went) OVER until_now AS specs_now,
    2 * sum(came - went) OVER until_now - came + went - first_observed AS before_and_now
  FROM step
  WINDOW until_now AS (PARTITION BY series_id ORDER BY taken_at)) t
JOIN series r USING (series_id)
ORDER BY r.name, t.taken_at;
