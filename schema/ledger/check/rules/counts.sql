-- Three counts follow from the intervals that began or ended up to a moment: the packages of a snapshot, its specs, and
-- the specs that the current page of a package lists.
WITH event (series_id, package_id, moment, step, listed) AS (
  SELECT series_id, package_id, valid_from, 1, 0 FROM presence
  UNION ALL
  SELECT series_id, package_id, valid_to, -1, 0 FROM presence WHERE valid_to IS NOT NULL
  UNION ALL
  SELECT p.series_id, p.package_id, p.valid_from, 0, max(-1, min(g.num_specs, 1000000000))
  FROM page_presence p
  JOIN page g USING (page_id)
  UNION ALL
  SELECT p.series_id, p.package_id, p.valid_to, 0, -max(-1, min(g.num_specs, 1000000000))
  FROM page_presence p
  JOIN page g USING (page_id)
  WHERE p.valid_to IS NOT NULL),
package_event AS (
  SELECT series_id, package_id, moment, sum(step) AS step, sum(listed) AS listed
  FROM event
  GROUP BY series_id, package_id, moment),
package_state AS MATERIALIZED (
  SELECT series_id, package_id, moment, step,
    sum(step) OVER package_until_now        AS specs_now,
    sum(step) OVER package_until_now - step AS specs_before,
    sum(listed) OVER package_until_now      AS listed_now
  FROM package_event
  WINDOW package_until_now AS (PARTITION BY series_id, package_id ORDER BY moment)),
series_event AS (
  SELECT series_id, moment, sum(step) AS specs, sum((specs_now > 0) - (specs_before > 0)) AS packages
  FROM package_state
  GROUP BY series_id, moment),
-- Snapshots without an event are counted, too.
everything AS (
  SELECT series_id, moment, specs, packages, NULL AS snapshot_id FROM series_event
  UNION ALL
  SELECT series_id, taken_at, 0, 0, snapshot_id FROM snapshot),
counted AS (
  SELECT snapshot_id,
    sum(specs) OVER series_until_now    AS specs,
    sum(packages) OVER series_until_now AS packages
  FROM everything
  WINDOW series_until_now AS (PARTITION BY series_id ORDER BY moment)),
-- Pages that list another number of specs than the ledger has: one row for each page, or for each package without a page.
other_than_listed AS (
  SELECT t.series_id, t.package_id, g.page_id, min(t.moment) AS moment, t.specs_now
  FROM package_state t
  LEFT JOIN page_presence g
    ON g.series_id = t.series_id
   AND g.package_id = t.package_id
   AND g.valid_from <= t.moment
   AND (g.valid_to IS NULL OR g.valid_to > t.moment)
  LEFT JOIN page l USING (page_id)
  WHERE t.specs_now <> t.listed_now
    AND t.specs_now <> ifnull(l.num_specs, 0)
  GROUP BY t.series_id, t.package_id, g.page_id)
SELECT 'snapshot: ' || s.name || ' says ' || s.packages || ' packages and ' || s.specs
    || ' specs, its intervals give ' || c.packages || ' and ' || c.specs AS problem
FROM snapshot s
JOIN counted c USING (snapshot_id)
WHERE s.specs <> c.specs OR s.packages <> c.packages
UNION ALL
SELECT CASE WHEN g.page_id IS NULL
    THEN 'page_presence: no page is there for ' || k.name || ' in ' || r.name || ', whose specs are'
    ELSE 'page: ' || lower(hex(g.digest)) || ' of ' || k.name || ' says ' || g.num_specs || ' specs, ' || r.name || ' has '
      || o.specs_now || ' from ' || ifnull(strftime('%Y-%m-%dT%H:%M:%SZ', o.moment, 'unixepoch'), o.moment) || ' on' END
FROM other_than_listed o
JOIN series r ON r.series_id = o.series_id
JOIN package k ON k.package_id = o.package_id
LEFT JOIN page g ON g.page_id = o.page_id;
