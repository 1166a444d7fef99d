-- The counts of each snapshot are those of its state: the intervals that began up to its moment less those
-- that ended.
WITH event AS (
  SELECT series_id, package_id, valid_from AS moment, 1 AS step FROM presence
  UNION ALL
  SELECT series_id, package_id, valid_to, -1 FROM presence WHERE valid_to IS NOT NULL),
package_event AS (
  SELECT series_id, package_id, moment, sum(step) AS step
  FROM event
  GROUP BY series_id, package_id, moment),
package_state AS (
  SELECT series_id, moment, step,
    sum(step) OVER package_until_now        AS specs_now,
    sum(step) OVER package_until_now - step AS specs_before
  FROM package_event
  WINDOW package_until_now AS (PARTITION BY series_id, package_id ORDER BY moment)),
series_event AS (
  SELECT series_id, moment, sum(step) AS specs, sum((specs_now > 0) - (specs_before > 0)) AS packages
  FROM package_state
  GROUP BY series_id, moment),
-- Snapshots without any event of their own count as well.
everything AS (
  SELECT series_id, moment, specs, packages, NULL AS snapshot_id FROM series_event
  UNION ALL
  SELECT series_id, taken_at, 0, 0, snapshot_id FROM snapshot),
counted AS (
  SELECT snapshot_id,
    sum(specs) OVER series_until_now    AS specs,
    sum(packages) OVER series_until_now AS packages
  FROM everything
  WINDOW series_until_now AS (PARTITION BY series_id ORDER BY moment))
SELECT 'snapshot: ' || s.name || ' says ' || s.packages || ' packages and ' || s.specs
    || ' specs, its intervals give ' || c.packages || ' and ' || c.specs AS problem
FROM snapshot s
JOIN counted c USING (snapshot_id)
WHERE s.specs <> c.specs OR s.packages <> c.packages;
