-- title: Package versions first and last seen
-- For each version of each package: the moments of the first and the last snapshot of the series that have it; how many
-- of its builds are in the newest snapshot (0 if it is gone); how many different builds it had in all snapshots. The
-- version may be absent from snapshots between these two. A snapshot that did not observe the package (it is partial,
-- or could not read the page) does not count. A version that the first snapshot of the series has may be older.
-- param: series glob = *        only series that match
-- param: package glob = *       only packages that match
-- filters: looks
WITH seen AS (
  SELECT
    p.series_id, p.package_id, l.version_id,
    min(p.valid_from)                              AS first,
    max(coalesce(p.valid_to, 9223372036854775807))   AS ended,
    count(*) - count(p.valid_to)                   AS specs_now,
    count(DISTINCT p.spec_id)                      AS specs_ever
  FROM presence p
  CROSS JOIN asked_looks l USING (look_id)
  WHERE p.package_id IN (SELECT package_id FROM package WHERE glob(:package, name))
  GROUP BY p.series_id, p.package_id, l.version_id)
SELECT
  r.name                                                  AS series,
  k.name                                                  AS package,
  v.version,
  strftime('%Y-%m-%dT%H:%M:%SZ', e.first, 'unixepoch')    AS first_seen,
  strftime('%Y-%m-%dT%H:%M:%SZ', (
    SELECT o.taken_at FROM observations o
    WHERE o.series_id = e.series_id AND o.package_id = e.package_id AND o.taken_at < e.ended
    ORDER BY o.taken_at DESC
    LIMIT 1), 'unixepoch') AS last_seen,
  e.specs_now,
  e.specs_ever
FROM seen e
JOIN series r USING (series_id)
JOIN package k USING (package_id)
LEFT JOIN version v USING (version_id)
WHERE glob(:series, r.name)
ORDER BY r.name, k.name, v.sort_key NULLS FIRST;
