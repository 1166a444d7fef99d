-- title: Variants that changed
-- Options that differ between the builds of a version of a package on one system. `options` says what differs:
-- "mpi: false -> true" means another value; '|' separates the values of several builds.
-- "mpi: (none) -> true" means that the option is new, "mpi: true -> (none)" that it no longer exists.
-- "~mpi dropped" means that there were builds with and without mpi, and only those with mpi remain.
-- "~mpi added" means that there were only builds with mpi, and builds without it were added.
-- Added builds are compared with removed builds. If builds were only added or only removed, all builds of this version on
-- this system in the two snapshots are compared.
-- param: from snapshot = {to}~1   the snapshot before
-- param: to snapshot = latest     the snapshot after
-- param: package glob = *         only packages that match
-- param: stack glob = null        compare only builds in matching stacks
-- filters: looks
-- Outside of the program, :stack must be NULL or a name: the view stack_drift does not take patterns.
-- command: diff
WITH chosen AS MATERIALIZED (
  SELECT
    d.from_id, d.to_id, d.change, l.variant_set_id, CASE WHEN a.look_id IS NULL THEN 0 ELSE 1 END AS is_asked,
    -- The id of a row of the report: the smallest look of its package, version and system.
    (SELECT min(m.look_id) FROM look m
     WHERE m.package_id = l.package_id
       AND m.version_id IS NOT DISTINCT FROM l.version_id
       AND m.arch_id IS NOT DISTINCT FROM l.arch_id) AS place
  FROM stack_drift d
  CROSS JOIN look l USING (look_id)
  LEFT JOIN asked_looks a USING (look_id)
  WHERE d.from_snapshot = :from
    AND d.to_snapshot = :to
    AND d.stack IS NOT DISTINCT FROM :stack
    AND d.cause = 'variants'
    AND d.package_id IN (SELECT package_id FROM package WHERE glob(:package, name))),
changed AS MATERIALIZED (
  SELECT
    place,
    min(from_id)                               AS from_id,
    min(to_id)                                 AS to_id,
    count(*) FILTER (WHERE change = 'added')   AS added,
    count(*) FILTER (WHERE change = 'removed') AS removed,
    count(*) FILTER (WHERE change = 'added' AND is_asked = 1)   AS asked_added,
    count(*) FILTER (WHERE change = 'removed' AND is_asked = 1) AS asked_removed
  FROM chosen
  GROUP BY place
  HAVING max(is_asked) = 1),
-- The variant sets to compare: those that changed; if nothing changed on one side, all that are present.
present (place, change, variant_set_id) AS (
  SELECT place, change, variant_set_id
  FROM chosen
  UNION ALL
  SELECT r.place, r.change, m.variant_set_id
  FROM (
    SELECT place, 'removed' AS change, from_id AS snapshot_id FROM changed WHERE added = 0 OR removed = 0
    UNION ALL
    SELECT place, 'added', to_id FROM changed WHERE added = 0 OR removed = 0) r
  CROSS JOIN snapshot s ON s.snapshot_id = r.snapshot_id
  CROSS JOIN look l ON l.look_id = r.place
  CROSS JOIN look m
    ON m.package_id = l.package_id
   AND m.version_id IS NOT DISTINCT FROM l.version_id
   AND m.arch_id IS NOT DISTINCT FROM l.arch_id
  WHERE EXISTS (
    SELECT 1 FROM presence p
    WHERE p.series_id = s.series_id
      AND p.package_id = m.package_id
      AND p.look_id = m.look_id
      AND p.valid_from <= s.taken_at
      AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
      AND (:stack IS NULL OR p.stack_set_id IN (
        SELECT stack_set_id FROM stack_set_stacks WHERE stack = :stack OR glob(:stack, stack))))),
compared AS MATERIALIZED (
  SELECT
    place, variant_set_id,
    max(CASE change WHEN 'removed' THEN 1 ELSE 0 END) AS is_before,
    max(CASE change WHEN 'added' THEN 1 ELSE 0 END)   AS is_after
  FROM present
  GROUP BY place, variant_set_id),
-- One text for each option of each set: "sockets,tcp".
set_option AS MATERIALIZED (
  SELECT variant_set_id, name, group_concat(value, ',') AS value
  FROM (
    SELECT c.variant_set_id, v.name, v.value
    FROM (SELECT DISTINCT variant_set_id FROM compared) c
    CROSS JOIN variant_set_member m USING (variant_set_id)
    CROSS JOIN variant v USING (variant_id)
    ORDER BY c.variant_set_id, v.name, v.value) o
  GROUP BY variant_set_id, name),
option_of_row AS MATERIALIZED (
  SELECT DISTINCT c.place, o.name
  FROM compared c
  JOIN set_option o USING (variant_set_id)),
-- Each value of a row, and which side has it. '(none)' stands for a set without the option.
value_of_row AS (
  SELECT
    c.place, n.name,
    coalesce(o.value, '(none)') AS value,
    max(c.is_before)          AS is_before,
    max(c.is_after)           AS is_after
  FROM option_of_row n
  JOIN compared c ON c.place = n.place
  LEFT JOIN set_option o ON o.variant_set_id = c.variant_set_id AND o.name = n.name
  GROUP BY c.place, n.name, coalesce(o.value, '(none)')
  ORDER BY c.place, n.name, value),
option AS (
  SELECT
    place, name,
    group_concat(value, '|') FILTER (WHERE is_before = 1) AS value_before,
    group_concat(value, '|') FILTER (WHERE is_after = 1)  AS value_after
  FROM value_of_row
  GROUP BY place, name
  HAVING count(*) FILTER (WHERE is_before <> is_after) > 0
  ORDER BY place, name),
told AS MATERIALIZED (
  SELECT
    place,
    group_concat(
      CASE value_before || ' -> ' || value_after
        WHEN 'false|true -> true'  THEN '~' || name || ' dropped'
        WHEN 'false|true -> false' THEN '+' || name || ' dropped'
        WHEN 'true -> false|true'  THEN '~' || name || ' added'
        WHEN 'false -> false|true' THEN '+' || name || ' added'
        ELSE name || ': ' || value_before || ' -> ' || value_after
      END, '; ') AS options
  FROM option
  GROUP BY place)
SELECT
  'variants-changed' AS kind,
  l.package,
  l.version,
  l.platform,
  l.os,
  l.target,
  coalesce(t.options, 'other combinations of the same values') AS options,
  r.asked_added   AS added,
  r.asked_removed AS removed
FROM changed r
CROSS JOIN looks l ON l.look_id = r.place
LEFT JOIN told t ON t.place = r.place
ORDER BY l.package, l.version_key NULLS FIRST, l.platform NULLS FIRST, l.os NULLS FIRST, l.target NULLS FIRST;
