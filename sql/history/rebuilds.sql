-- title: Most rebuilt packages
-- Packages of which specs were rebuilt without any visible change: in how many snapshots (each against the one before it in
-- its series), how many specs, and when last. `specs` is the sum of what drift/summary counts as rebuilt from each
-- snapshot to the next.
-- param: series glob = *        only series that match
-- param: package glob = *       only packages that match
WITH moment AS MATERIALIZED (
  SELECT s.series_id, s.taken_at AS moment,
    lag(s.taken_at) OVER (PARTITION BY s.series_id ORDER BY s.taken_at) AS before
  FROM snapshot s
  JOIN series r USING (series_id)
  WHERE r.name GLOB :series),
-- Specs that came and went, by look. Those that went on at once, in other stacks, did neither.
step (series_id, moment, package_id, look_id, added, removed) AS (
  SELECT p.series_id, p.valid_from, p.package_id, p.look_id, 1, 0
  FROM moment m
  CROSS JOIN presence p ON p.series_id = m.series_id AND p.valid_from = m.moment
  WHERE m.before IS NOT NULL
  UNION ALL
  SELECT series_id, valid_to, package_id, look_id, 0, count(*)
  FROM presence
  WHERE valid_to IS NOT NULL
  GROUP BY series_id, valid_to, package_id, look_id
  UNION ALL
  SELECT p.series_id, p.valid_to, p.package_id, p.look_id, -count(*), -count(*)
  FROM presence p
  CROSS JOIN presence q
    ON q.series_id = p.series_id
   AND q.package_id = p.package_id
   AND q.look_id = p.look_id
   AND q.spec_id = p.spec_id
   AND q.valid_from = p.valid_to
  WHERE p.valid_to IS NOT NULL
  GROUP BY p.series_id, p.valid_to, p.package_id, p.look_id),
-- Looks that differ in their compiler only and of which one has none: the look_id of that one stands for them all.
mixed (none_id, look_id) AS MATERIALIZED (
  SELECT n.look_id, m.look_id
  FROM look n
  CROSS JOIN look m
    ON m.package_id = n.package_id
   AND m.version_id IS n.version_id
   AND m.arch_id IS n.arch_id
   AND m.variant_set_id IS n.variant_set_id
  WHERE n.compiler_id IS NULL),
look_step AS MATERIALIZED (
  SELECT t.*, x.none_id
  FROM (
    SELECT series_id, moment, package_id, look_id, sum(added) AS added, sum(removed) AS removed
    FROM step
    WHERE series_id IN (SELECT series_id FROM moment)
      AND package_id IN (SELECT package_id FROM package WHERE name GLOB :package)
    GROUP BY series_id, moment, look_id
    HAVING sum(added) > 0 OR sum(removed) > 0) t
  LEFT JOIN mixed x USING (look_id)),
-- Where several of them changed at once, it takes a look at both snapshots; one alone is paired within itself.
several AS MATERIALIZED (
  SELECT series_id, moment, none_id
  FROM look_step
  WHERE none_id IS NOT NULL
  GROUP BY series_id, moment, none_id
  HAVING count(*) > 1 AND sum(added) > 0 AND sum(removed) > 0),
compared AS MATERIALIZED (
  SELECT t.*,
    t.look_id = t.none_id AS is_none,
    EXISTS (
      SELECT 1 FROM presence p
      WHERE p.series_id = t.series_id AND p.package_id = t.package_id AND p.look_id = t.none_id
        AND p.valid_from <= m.before AND (p.valid_to IS NULL OR p.valid_to > m.before)) AS none_before,
    EXISTS (
      SELECT 1 FROM presence p
      WHERE p.series_id = t.series_id AND p.package_id = t.package_id AND p.look_id = t.none_id
        AND p.valid_from <= t.moment AND (p.valid_to IS NULL OR p.valid_to > t.moment)) AS none_now,
    EXISTS (
      SELECT 1 FROM presence p
      WHERE p.series_id = t.series_id AND p.package_id = t.package_id AND p.look_id = t.look_id
        AND p.valid_from <= m.before AND (p.valid_to IS NULL OR p.valid_to > m.before)) AS same_before,
    EXISTS (
      SELECT 1 FROM presence p
      WHERE p.series_id = t.series_id AND p.package_id = t.package_id AND p.look_id = t.look_id
        AND p.valid_from <= t.moment AND (p.valid_to IS NULL OR p.valid_to > t.moment)) AS same_now
  FROM look_step t
  JOIN several USING (series_id, moment, none_id)
  JOIN moment m USING (series_id, moment)),
-- Pairs of specs that came and went: within a look, or, where one of the two snapshots has a spec without compiler, within
-- all looks that differ in their compiler only. There a spec is paired if the other snapshot has one with its compiler,
-- or if one of the two specs has none.
rebuilt (series_id, moment, package_id, specs) AS (
  SELECT t.series_id, t.moment, t.package_id, min(t.added, t.removed)
  FROM look_step t
  LEFT JOIN several e USING (series_id, moment, none_id)
  WHERE t.added > 0
    AND t.removed > 0
    AND e.none_id IS NULL
  UNION ALL
  SELECT series_id, moment, package_id,
    CASE WHEN none_before OR none_now
      THEN min(
        ifnull(sum(added) FILTER (WHERE is_none OR none_before OR same_before), 0),
        ifnull(sum(removed) FILTER (WHERE is_none OR none_now OR same_now), 0))
      ELSE sum(min(added, removed))
    END
  FROM compared
  GROUP BY series_id, moment, none_id)
SELECT
  r.name                                                   AS series,
  k.name                                                   AS package,
  t.snapshots,
  t.specs,
  strftime('%Y-%m-%dT%H:%M:%SZ', t.last, 'unixepoch')      AS last_rebuilt
FROM (
  SELECT series_id, package_id, count(DISTINCT moment) AS snapshots, sum(specs) AS specs, max(moment) AS last
  FROM rebuilt
  WHERE specs > 0
  GROUP BY series_id, package_id) t
JOIN series r USING (series_id)
JOIN package k USING (package_id)
ORDER BY t.snapshots DESC, t.specs DESC, r.name, k.name;
