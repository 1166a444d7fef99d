-- title: Variants that changed
-- Where a version of a package, on one system, is built with other variants than before. `options` lists those that differ: +a, ~b, k: x -> y. Values of several builds are separated by '|'; where specs were only added, or
-- only removed, they are compared with all that the other snapshot has of this version on this system.
-- param: from snapshot = {to}~1   the snapshot before
-- param: to snapshot = latest     the snapshot after
-- param: package glob = *         only packages that match
-- param: stack text = null        only specs that are, or were, in this stack (causes are those of the whole cache)
WITH chosen AS MATERIALIZED (
  SELECT
    d.from_id, d.to_id, d.change, l.variant_set_id,
    -- A row of the report, by the smallest look of its package, version and system.
    (SELECT min(m.look_id) FROM look m
     WHERE m.package_id = l.package_id
       AND m.version_id IS l.version_id
       AND m.arch_id IS l.arch_id) AS place
  FROM spec_drift d
  JOIN package k USING (package_id)
  JOIN look l USING (look_id)
  WHERE d.from_snapshot = :from
    AND d.to_snapshot = :to
    AND d.cause = 'variants'
    AND k.name GLOB :package
  AND (:stack IS NULL OR d.stack_set_id IN (
    SELECT m.stack_set_id FROM stack_set_member m JOIN stack t USING (stack_id) WHERE t.name = :stack))),
changed AS MATERIALIZED (
  SELECT
    place, from_id, to_id,
    count(*) FILTER (WHERE change = 'added')   AS added,
    count(*) FILTER (WHERE change = 'removed') AS removed
  FROM chosen
  GROUP BY place),
-- The variant sets that are compared: what changed, or all there is where nothing changed on that side.
compared AS MATERIALIZED (
  SELECT place, change, variant_set_id
  FROM chosen
  UNION
  SELECT r.place, r.side, m.variant_set_id
  FROM (
    SELECT place, 'removed' AS side, from_id AS snapshot_id FROM changed WHERE removed = 0
    UNION ALL
    SELECT place, 'added', to_id FROM changed WHERE added = 0) r
  CROSS JOIN snapshot s ON s.snapshot_id = r.snapshot_id
  CROSS JOIN look l ON l.look_id = r.place
  CROSS JOIN look m
    ON m.package_id = l.package_id
   AND m.version_id IS l.version_id
   AND m.arch_id IS l.arch_id
  CROSS JOIN presence p
    ON p.series_id = s.series_id
   AND p.package_id = m.package_id
   AND p.look_id = m.look_id
   AND p.valid_from <= s.taken_at
   AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)),
-- One text for each option of each set, then one for each side: "sockets,tcp", "x|y".
set_option AS MATERIALIZED (
  SELECT variant_set_id, name, group_concat(value, ',') AS value
  FROM (
    SELECT m.variant_set_id, v.name, v.value
    FROM variant_set_member m
    JOIN variant v USING (variant_id)
    WHERE m.variant_set_id IN (SELECT variant_set_id FROM compared)
    ORDER BY m.variant_set_id, v.name, v.value)
  GROUP BY variant_set_id, name),
side_option AS MATERIALIZED (
  SELECT place, change, name, group_concat(value, '|') AS value
  FROM (
    SELECT DISTINCT c.place, c.change, o.name, o.value
    FROM compared c
    JOIN set_option o USING (variant_set_id)
    ORDER BY c.place, c.change, o.name, o.value)
  GROUP BY place, change, name),
option AS (
  SELECT
    place,
    name,
    max(value) FILTER (WHERE change = 'removed') AS value_before,
    max(value) FILTER (WHERE change = 'added')   AS value_after
  FROM side_option
  GROUP BY place, name
  ORDER BY place, name),
told AS MATERIALIZED (
  SELECT
    place,
    group_concat(
      CASE value_after
        WHEN 'true' THEN '+' || name
        WHEN 'false' THEN '~' || name
        ELSE name || ': ' || ifnull(value_before, '(none)') || ' -> ' || ifnull(value_after, '(none)')
      END, '; ') AS options
  FROM option
  WHERE value_before IS NOT value_after
  GROUP BY place)
SELECT
  'variants-changed' AS kind,
  l.package,
  l.version,
  l.platform,
  l.os,
  l.target,
  ifnull(t.options, 'other combinations of the same values') AS options,
  r.added,
  r.removed
FROM changed r
JOIN looks l ON l.look_id = r.place
LEFT JOIN told t ON t.place = r.place
ORDER BY l.package, l.version, l.platform, l.os, l.target;
