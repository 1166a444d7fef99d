-- title: When wishes were met
-- For each spec that the list of a stack wanted, and each series that has the stack: when a build of the stack met it.
-- `first_met` is the first snapshot in which one did, and `lost` the snapshot since which none does, while the list wanted
-- it. `first_met` is empty if it was never met, `lost` if it is met still, or the list gave it up before. `days` is the time
-- from the wish to `first_met`. It is empty if the wish is older than the first snapshot of the series: it may have been met
-- before. `is_sure` is 0 where it was met as far as known only. Wishes that ended before the series began are left out.
-- param: series glob = *        only series that match
-- param: stack glob = *         only lists of stacks that match
-- param: package glob = *       only wishes of packages that match
-- implied: series
-- chart: bars: stack,spec days
-- caption: Days from a wish to the first build that meets it
-- unit: days days
WITH asked_series AS MATERIALIZED (
  SELECT r.series_id, r.name, min(s.taken_at) AS start, max(s.taken_at) AS newest
  FROM series r
  JOIN snapshot s USING (series_id)
  WHERE glob(:series, r.name)
    AND s.kind IN ('pages', 'index')
  GROUP BY r.series_id, r.name),
-- The stacks that a series had at any time.
named_stack AS MATERIALIZED (
  SELECT DISTINCT p.series_id, m.stack_id
  FROM (
    SELECT DISTINCT q.series_id, q.stack_set_id
    FROM asked_series r
    CROSS JOIN presence q ON q.series_id = r.series_id) p
  JOIN stack_set_member m USING (stack_set_id)),
wish_time AS MATERIALIZED (
  SELECT
    r.series_id, r.name AS series, r.start, r.newest,
    t.stack_id, l.stack, p.spec_group, w.wish_id, w.package, w.spec, p.valid_from, p.valid_to
  FROM asked_series r
  JOIN named_stack n USING (series_id)
  JOIN stack t USING (stack_id)
  JOIN wish_list l ON l.stack = t.name
  JOIN wish_presence p USING (wish_list_id)
  JOIN wish w USING (wish_id)
  WHERE glob(:stack, l.stack)
    AND glob(:package, coalesce(w.package, ''))
    AND p.valid_from <= r.newest
    AND (p.valid_to IS NULL OR p.valid_to > r.start)),
-- For each build that meets a wish: the first snapshot in which it is there while the list wants it.
held AS MATERIALIZED (
  SELECT
    t.series_id, t.stack_id, t.spec_group, t.wish_id, t.valid_from, h.valid_to, a.is_sure,
    (SELECT min(s.taken_at)
     FROM snapshot s
     WHERE s.series_id = t.series_id
       AND s.taken_at >= h.valid_from
       AND s.taken_at >= t.valid_from
       AND (h.valid_to IS NULL OR s.taken_at < h.valid_to)
       AND (t.valid_to IS NULL OR s.taken_at < t.valid_to)) AS first_met
  FROM wish_time t
  CROSS JOIN wish_spec a
  CROSS JOIN spec x
  CROSS JOIN look k
  CROSS JOIN presence h
  CROSS JOIN stack_set_member m
  WHERE a.wish_id = t.wish_id
    AND x.spec_id = a.spec_id
    AND k.look_id = x.look_id
    AND h.series_id = t.series_id
    AND h.package_id = k.package_id
    AND h.look_id = x.look_id
    AND h.spec_id = x.spec_id
    AND (t.valid_to IS NULL OR h.valid_from < t.valid_to)
    AND (h.valid_to IS NULL OR h.valid_to > t.valid_from)
    AND m.stack_set_id = h.stack_set_id
    AND m.stack_id = t.stack_id),
met AS MATERIALIZED (
  SELECT
    series_id, stack_id, spec_group, wish_id, valid_from,
    min(first_met)                                   AS first_met,
    max(CASE WHEN valid_to IS NULL THEN 1 ELSE 0 END) AS is_open,
    max(valid_to)                                    AS last_gone,
    max(is_sure)                                     AS is_sure
  FROM held
  WHERE first_met IS NOT NULL
  GROUP BY series_id, stack_id, spec_group, wish_id, valid_from),
told AS (
  SELECT
    t.series, t.stack, t.spec, t.spec_group, t.valid_from, t.valid_to, t.start, m.is_sure, m.first_met,
    CASE WHEN m.is_open = 0 AND (t.valid_to IS NULL OR m.last_gone < t.valid_to) THEN m.last_gone END AS lost
  FROM wish_time t
  LEFT JOIN met m
    ON m.series_id = t.series_id
   AND m.stack_id = t.stack_id
   AND m.spec_group = t.spec_group
   AND m.wish_id = t.wish_id
   AND m.valid_from = t.valid_from)
SELECT
  series,
  stack,
  spec_group,
  strftime('%Y-%m-%dT%H:%M:%SZ', valid_from, 'unixepoch') AS wanted_from,
  strftime('%Y-%m-%dT%H:%M:%SZ', valid_to, 'unixepoch')   AS wanted_to,
  strftime('%Y-%m-%dT%H:%M:%SZ', first_met, 'unixepoch')  AS first_met,
  strftime('%Y-%m-%dT%H:%M:%SZ', lost, 'unixepoch')       AS lost,
  CASE WHEN valid_from >= start THEN (first_met - valid_from) / 86400 END AS days,
  is_sure,
  spec
FROM told
ORDER BY series, stack, spec_group, spec, valid_from;
