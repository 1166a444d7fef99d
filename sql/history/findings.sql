-- title: When findings came and went
-- One row each time the number of findings of a kind changes: the number in the snapshot `before`, and the number of `findings`
-- now. audit/findings lists them. The findings about a page hold until the next snapshot that observes the package. Findings
-- about the loading concern one snapshot only.
-- param: series glob = *        only series that match
-- param: package glob = *       only packages that match
-- param: kind glob = *          only kinds that match
-- implied: series taken_at
-- chart: lines: taken_at findings by series kind
-- caption: Findings that hold, by kind
-- unit: findings before findings
WITH chosen AS MATERIALIZED (
  SELECT f.finding_id, f.page_id, f.snapshot_id, f.kind
  FROM finding f
  LEFT JOIN page g ON g.page_id = f.page_id
  LEFT JOIN package k ON k.package_id = coalesce(g.package_id, f.package_id)
  WHERE glob(:kind, f.kind)
    AND (glob(:package, k.name) OR (k.name IS NULL AND :package = '*'))),
-- The moments from which and until which each finding holds.
held (series_id, kind, valid_from, valid_to) AS (
  SELECT p.series_id, c.kind, p.valid_from, p.valid_to
  FROM chosen c
  CROSS JOIN page_presence p ON p.page_id = c.page_id
  UNION ALL
  SELECT
    s.series_id, c.kind, s.taken_at,
    (SELECT min(n.taken_at) FROM snapshot n WHERE n.series_id = s.series_id AND n.taken_at > s.taken_at)
  FROM chosen c
  CROSS JOIN snapshot s ON s.snapshot_id = c.snapshot_id),
step AS MATERIALIZED (
  SELECT series_id, kind, moment, sum(findings) AS more
  FROM (
    SELECT series_id, kind, valid_from AS moment, 1 AS findings FROM held
    UNION ALL
    SELECT series_id, kind, valid_to, -1 FROM held WHERE valid_to IS NOT NULL) e
  GROUP BY series_id, kind, moment
  HAVING sum(findings) <> 0),
counted AS (
  SELECT
    series_id, kind, moment, more,
    sum(more) OVER (PARTITION BY series_id, kind ORDER BY moment) AS findings
  FROM step)
SELECT
  r.name                                               AS series,
  c.kind,
  s.name                                               AS snapshot,
  strftime('%Y-%m-%dT%H:%M:%SZ', c.moment, 'unixepoch') AS taken_at,
  c.findings - c.more                                  AS before,
  c.findings
FROM counted c
JOIN series r ON r.series_id = c.series_id
JOIN snapshot s ON s.series_id = c.series_id AND s.taken_at = c.moment
WHERE glob(:series, r.name)
ORDER BY r.name, c.kind, c.moment;
