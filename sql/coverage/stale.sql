-- title: Packages that did not change for longest
-- Since when no build of a package was added or removed, the longest time first; `days` is that time in days, up to the
-- snapshot. `version` is the greatest of the package, and `last_added` says when the newest of its builds came. If
-- `since_start` is 1, the package has not changed since the series first observed it, and may be unchanged for longer. A
-- move to other stacks is no change. With --stack, specs that join the stacks that match are added, and specs that leave them
-- are removed.
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only packages that match
-- param: stack glob = null      only specs of stacks that match; '(no stack)': in none
-- param: days integer = 0       only packages that are unchanged for at least so many days
-- filters: looks
WITH chosen AS MATERIALIZED (
  SELECT DISTINCT stack_set_id FROM stack_set_stacks WHERE stack = :stack OR glob(:stack, stack)),
-- With :stack, whether a spec came and went is asked of the stacks.
interval AS NOT MATERIALIZED (
  SELECT
    s.taken_at, p.series_id, p.package_id, p.valid_from, p.valid_to,
    CASE WHEN p.came = 1 THEN 1 WHEN :stack IS NULL OR EXISTS (
      SELECT 1
      FROM presence b
      WHERE b.series_id = p.series_id AND b.package_id = p.package_id AND b.look_id = p.look_id AND b.spec_id = p.spec_id
        AND b.valid_to = p.valid_from AND b.stack_set_id IN (SELECT stack_set_id FROM chosen)) THEN 0 ELSE 1 END AS came,
    CASE WHEN p.went = 1 THEN 1 WHEN :stack IS NULL OR p.valid_to IS NULL OR EXISTS (
      SELECT 1
      FROM presence b
      WHERE b.series_id = p.series_id AND b.package_id = p.package_id AND b.look_id = p.look_id AND b.spec_id = p.spec_id
        AND b.valid_from = p.valid_to AND b.stack_set_id IN (SELECT stack_set_id FROM chosen)) THEN 0 ELSE 1 END AS went
  FROM snapshot s
  CROSS JOIN presence p ON p.series_id = s.series_id AND +p.valid_from <= s.taken_at
  CROSS JOIN asked_looks USING (look_id)
  WHERE s.name = :at
    AND p.package_id IN (SELECT package_id FROM package WHERE glob(:package, name))
    AND (:stack IS NULL OR p.stack_set_id IN (SELECT stack_set_id FROM chosen))),
changed AS MATERIALIZED (
  SELECT
    taken_at, series_id, package_id,
    count(*) FILTER (WHERE valid_to IS NULL OR valid_to > taken_at) AS specs,
    max(valid_from) FILTER (WHERE came = 1)                         AS last_added,
    max(valid_to) FILTER (WHERE went = 1 AND valid_to <= taken_at)  AS last_removed
  FROM interval
  GROUP BY taken_at, series_id, package_id),
stale AS MATERIALIZED (
  SELECT
    taken_at, series_id, package_id, specs, last_added,
    CASE WHEN last_removed > last_added THEN last_removed ELSE last_added END AS since
  FROM changed
  WHERE specs > 0),
-- The looks come before their versions: there are fewer.
newest AS MATERIALIZED (
  SELECT o.package_id, max(v.sort_key) AS version_key
  FROM (
    SELECT p.package_id, p.look_id
    FROM present_specs p
    WHERE p.snapshot = :at
      AND (:stack IS NULL OR p.stack_set_id IN (SELECT stack_set_id FROM chosen))
    GROUP BY p.package_id, p.look_id) o
  CROSS JOIN asked_looks l ON l.look_id = o.look_id
  CROSS JOIN version v ON v.version_id = l.version_id
  GROUP BY o.package_id)
SELECT
  k.name                                                      AS package,
  v.version,
  t.specs,
  strftime('%Y-%m-%dT%H:%M:%SZ', t.last_added, 'unixepoch')   AS last_added,
  strftime('%Y-%m-%dT%H:%M:%SZ', t.since, 'unixepoch')        AS unchanged_since,
  (t.taken_at - t.since) / 86400                              AS days,
  CASE t.since WHEN (
    SELECT min(o.taken_at) FROM observations o
    WHERE o.series_id = t.series_id AND o.package_id = t.package_id) THEN 1 ELSE 0 END AS since_start
FROM stale t
CROSS JOIN package k ON k.package_id = t.package_id
LEFT JOIN newest n ON n.package_id = t.package_id
LEFT JOIN version v ON v.sort_key = n.version_key
WHERE (t.taken_at - t.since) / 86400 >= :days
ORDER BY t.since, k.name;
