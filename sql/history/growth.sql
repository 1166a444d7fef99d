-- title: Growth from snapshot to snapshot
-- How many packages and specs each snapshot holds, and how many specs were added and removed since the one before it in its
-- series. In the first snapshot of a series everything is added. A package that no snapshot of the series observed before
-- (they were partial, or could not read its page) is in `packages` and `specs`, and left out of the rest: whether its
-- specs are new is not known. `churn` is the percentage of the other specs that changed: 100 * (added + removed) / (specs
-- before + specs now), which is 0 where nothing changed and 100 where all was replaced. It is empty in the first snapshot
-- of a series, and where no specs are there before and after. A spec that only moved between stacks was there all the time.
-- param: series glob = *        only series that match
-- param: package glob = *       only packages that match
WITH chosen AS MATERIALIZED (
  SELECT package_id FROM package WHERE name GLOB :package),
-- Intervals that begin and end, by moment and package; those that end where another of the same spec begins (in
-- other stacks) count on neither side.
step (series_id, moment, package_id, came, removed) AS (
  SELECT series_id, valid_from, package_id, count(*), 0
  FROM presence
  GROUP BY series_id, valid_from, package_id
  UNION ALL
  SELECT series_id, valid_to, package_id, 0, count(*)
  FROM presence
  WHERE valid_to IS NOT NULL
  GROUP BY series_id, valid_to, package_id
  UNION ALL
  SELECT p.series_id, p.valid_to, p.package_id, -count(*), -count(*)
  FROM presence p
  CROSS JOIN presence q
    ON q.series_id = p.series_id
   AND q.package_id = p.package_id
   AND q.look_id = p.look_id
   AND q.spec_id = p.spec_id
   AND q.valid_from = p.valid_to
  WHERE p.valid_to IS NOT NULL
  GROUP BY p.series_id, p.valid_to, p.package_id),
package_step AS (
  SELECT series_id, package_id, moment, sum(came) AS came, sum(removed) AS removed
  FROM step
  WHERE package_id IN (SELECT package_id FROM chosen)
  GROUP BY series_id, package_id, moment),
package_state AS (
  SELECT series_id, package_id, moment, came, removed,
    sum(came - removed) OVER until_now                    AS specs_now,
    sum(came - removed) OVER until_now - (came - removed) AS specs_before
  FROM package_step
  WINDOW until_now AS (PARTITION BY series_id, package_id ORDER BY moment)),
-- What came with a package that was first observed then, which was not there before in any case.
package_observed AS (
  SELECT p.*,
    CASE WHEN p.specs_before = 0
        AND EXISTS (
          SELECT 1 FROM snapshot o
          WHERE o.series_id = p.series_id AND o.taken_at < p.moment)
        AND NOT EXISTS (
          SELECT 1 FROM observations o
          WHERE o.series_id = p.series_id AND o.package_id = p.package_id AND o.taken_at < p.moment)
      THEN p.came
      ELSE 0
    END AS first_observed
  FROM package_state p),
series_step AS MATERIALIZED (
  SELECT series_id, moment, sum(came) AS came, sum(removed) AS removed, sum(first_observed) AS first_observed,
    sum((specs_now > 0) - (specs_before > 0)) AS packages
  FROM package_observed
  GROUP BY series_id, moment),
-- Snapshots in which nothing changed are snapshots as well.
state AS (
  SELECT
    s.series_id, s.name, s.taken_at,
    ifnull(t.came - t.first_observed, 0)                  AS added,
    ifnull(t.removed, 0)                                  AS removed,
    ifnull(t.first_observed, 0)                           AS first_observed,
    ifnull(sum(t.packages) OVER until_now, 0)             AS packages,
    ifnull(sum(t.came - t.removed) OVER until_now, 0)     AS specs,
    row_number() OVER until_now > 1                       AS has_before
  FROM snapshot s
  LEFT JOIN series_step t ON t.series_id = s.series_id AND t.moment = s.taken_at
  WINDOW until_now AS (PARTITION BY s.series_id ORDER BY s.taken_at))
SELECT
  r.name                                                  AS series,
  t.name                                                  AS snapshot,
  strftime('%Y-%m-%dT%H:%M:%SZ', t.taken_at, 'unixepoch') AS taken_at,
  t.packages,
  t.specs,
  t.added,
  t.removed,
  -- specs before + specs now, but those first observed; NULL and not an error where that is 0
  CASE WHEN t.has_before
    THEN round(
      100.0 * (t.added + t.removed) / (2 * (t.specs - t.first_observed) - t.added + t.removed), 1)
  END                                                     AS churn
FROM state t
JOIN series r USING (series_id)
WHERE r.name GLOB :series
ORDER BY r.name, t.taken_at;
