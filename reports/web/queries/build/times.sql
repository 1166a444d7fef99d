-- When a build was there: one row for each series and each time in which its stacks were the same. `came` is 0 where it was there
-- before, in other stacks; `went` is 0 where it stayed, in other stacks or until now. `snapshots` counts those with it, `of` all of
-- the series. `is_start` is 1 where the series begins with it. Stacks are told without `root`; NULL: not known.
SELECT
  r.name AS series,
  strftime('%Y-%m-%dT%H:%M:%SZ', p.valid_from, 'unixepoch') AS since,
  a.name AS since_snapshot,
  strftime('%Y-%m-%dT%H:%M:%SZ', p.valid_to, 'unixepoch') AS until,
  z.name AS until_snapshot,
  p.came,
  p.went,
  g.named_stacks AS stacks,
  (SELECT count(*) FROM snapshot s
   WHERE s.series_id = p.series_id AND s.taken_at >= p.valid_from AND (p.valid_to IS NULL OR s.taken_at < p.valid_to)) AS snapshots,
  (SELECT count(*) FROM snapshot s WHERE s.series_id = p.series_id) AS of,
  p.valid_from = (SELECT min(s.taken_at) FROM snapshot s WHERE s.series_id = p.series_id) AS is_start
FROM spec x
CROSS JOIN look w ON w.look_id = x.look_id
CROSS JOIN series r
CROSS JOIN presence p
  ON p.series_id = r.series_id AND p.package_id = w.package_id AND p.look_id = x.look_id AND p.spec_id = x.spec_id
LEFT JOIN snapshot a ON a.series_id = p.series_id AND a.taken_at = p.valid_from
LEFT JOIN snapshot z ON z.series_id = p.series_id AND z.taken_at = p.valid_to
LEFT JOIN stack_set g ON g.stack_set_id = p.stack_set_id
WHERE x.spec_id = :spec_id
ORDER BY r.name, p.valid_from;
