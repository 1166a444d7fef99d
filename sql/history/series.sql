-- title: One line for each tag
-- What the ledger has of each series: a tag with all its moments, or the dated tags that differ only in their date. `tags` and
-- `snapshots` count them, `first` is the moment of the oldest snapshot; `newest` is the newest, with what it holds.
-- param: series glob = *        only series that match
-- command: snapshots
WITH counted AS (
  SELECT
    series_id,
    count(DISTINCT tag) AS tags,
    count(*)            AS snapshots,
    min(taken_at)       AS first,
    max(taken_at)       AS newest
  FROM snapshot
  GROUP BY series_id)
SELECT
  r.name                                               AS series,
  n.kind,
  c.tags,
  c.snapshots,
  strftime('%Y-%m-%dT%H:%M:%SZ', c.first, 'unixepoch') AS first,
  n.name                                               AS newest,
  n.packages,
  n.specs
FROM counted c
JOIN series r ON r.series_id = c.series_id
JOIN snapshot n ON n.series_id = c.series_id AND n.taken_at = c.newest
WHERE glob(:series, r.name)
ORDER BY r.name;
