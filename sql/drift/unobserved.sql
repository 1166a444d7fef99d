-- title: Packages that were not observed
-- Packages of one snapshot that the series of the other snapshot had not observed yet: its snapshots were partial, or
-- could not read the page. Whether these packages were added or removed is not known. The other reports leave them out.
-- With --stack also packages whose page does not give the stacks of some builds. These builds count as in no stack,
-- although they may have been in the chosen stacks.
-- param: from snapshot = {to}~1   the snapshot before
-- param: to snapshot = latest     the snapshot after
-- param: package glob = *         only packages that match
-- param: stack glob = null        compare only builds in matching stacks
-- command: diff
WITH side (kind, series_id, moment, other_series, other_moment) AS MATERIALIZED (
  SELECT 'not-observed-before', b.series_id, b.taken_at, a.series_id, a.taken_at
  FROM snapshot a
  CROSS JOIN snapshot b
  WHERE a.name = :from AND b.name = :to
  UNION ALL
  SELECT 'not-observed-after', a.series_id, a.taken_at, b.series_id, b.taken_at
  FROM snapshot a
  CROSS JOIN snapshot b
  WHERE a.name = :from AND b.name = :to),
unobserved AS MATERIALIZED (
  SELECT
    s.kind, k.name,
    (SELECT count(*)
     FROM presence p
     WHERE p.series_id = s.series_id
       AND p.package_id = k.package_id
       AND p.valid_from <= s.moment
       AND (p.valid_to IS NULL OR p.valid_to > s.moment)
       AND (:stack IS NULL OR p.stack_set_id IN (
         SELECT stack_set_id FROM stack_set_stacks WHERE stack = :stack OR glob(:stack, stack)))) AS specs
  FROM side s
  CROSS JOIN package k
  WHERE glob(:package, k.name)
    AND NOT EXISTS (
      SELECT 1 FROM observations o
      WHERE o.series_id = s.other_series AND o.package_id = k.package_id AND o.taken_at <= s.other_moment))
SELECT kind, name AS package, specs
FROM unobserved
WHERE specs > 0
UNION ALL
SELECT 'stacks-unknown-' || a.place, k.name, count(*)
FROM (SELECT 'before' AS place, :from AS name UNION ALL SELECT 'after', :to) a
CROSS JOIN snapshot s ON s.name = a.name
CROSS JOIN presence p
  ON p.series_id = s.series_id
 AND +p.valid_from <= s.taken_at
 AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
CROSS JOIN package k ON k.package_id = p.package_id
WHERE :stack IS NOT NULL
  AND p.stack_set_id IS NULL
  AND glob(:package, k.name)
GROUP BY a.place, k.name
ORDER BY kind DESC, package;
