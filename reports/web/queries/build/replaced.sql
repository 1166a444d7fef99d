-- What a build replaced, and what replaced it: for each moment at which it came or went, the builds of its look group that went or
-- came at that moment. The cause is that of the view stack_drift, for the snapshot and the one before it in its series; it is
-- answered here for one look group, by the key of presence. `cause` is that of the build itself: 'rebuilt', 'copies', or NULL where no
-- build of the group was on the other side. `added` and `removed` count the group. A row without `hash` has no build to name.
WITH
own AS MATERIALIZED (
  SELECT x.spec_id, x.look_id, l.package_id, l.version_id, l.arch_id, l.variant_set_id
  FROM spec x
  CROSS JOIN look l ON l.look_id = x.look_id
  WHERE x.spec_id = :spec_id),
-- Looks that differ in the compiler only. One without a compiler unites them, where it is there.
alike_look AS MATERIALIZED (
  SELECT l.look_id, l.compiler_id
  FROM own o
  CROSS JOIN look l
    ON l.package_id = o.package_id AND l.version_id IS o.version_id AND l.arch_id IS o.arch_id
   AND l.variant_set_id IS o.variant_set_id),
life AS MATERIALIZED (
  SELECT p.series_id, p.valid_from, p.valid_to, p.came, p.went
  FROM own o
  CROSS JOIN series r
  CROSS JOIN presence p
    ON p.series_id = r.series_id AND p.package_id = o.package_id AND p.look_id = o.look_id AND p.spec_id = o.spec_id),
turn AS MATERIALIZED (
  SELECT series_id, valid_from AS moment, 'added' AS change FROM life WHERE came = 1
  UNION ALL
  SELECT series_id, valid_to, 'removed' FROM life WHERE went = 1),
-- What each of these looks did at the moment: the intervals that touch it.
touching AS MATERIALIZED (
  SELECT
    t.series_id, t.moment, l.look_id, l.compiler_id, p.spec_id,
    p.valid_from = t.moment AND p.came = 1 AS added,
    p.valid_to IS t.moment AND p.went = 1 AS removed,
    p.valid_from < t.moment AS before,
    p.valid_from <= t.moment AND (p.valid_to IS NULL OR p.valid_to > t.moment) AS after
  FROM (SELECT DISTINCT series_id, moment FROM turn) t
  CROSS JOIN own o
  CROSS JOIN alike_look l
  CROSS JOIN presence p
    ON p.series_id = t.series_id AND p.package_id = o.package_id AND p.look_id = l.look_id
   AND +p.valid_from <= t.moment AND (p.valid_to IS NULL OR p.valid_to >= t.moment)),
state AS MATERIALIZED (
  SELECT
    series_id, moment, look_id, compiler_id, sum(added) AS added, sum(removed) AS removed, max(before) AS before, max(after) AS after
  FROM touching
  GROUP BY series_id, moment, look_id, compiler_id),
-- The looks whose changes are 'rebuilt' or 'copies': the other snapshot has the look, or one that may be the same.
placed AS MATERIALIZED (
  SELECT
    s.series_id, s.moment, s.look_id, s.added, s.removed,
    coalesce((
      SELECT m.look_id FROM state m
      WHERE m.series_id = s.series_id AND m.moment = s.moment AND m.compiler_id IS NULL), s.look_id) AS place
  FROM state s
  WHERE (s.added > 0 AND (s.before = 1 OR EXISTS (
      SELECT 1 FROM state m
      WHERE m.series_id = s.series_id AND m.moment = s.moment AND m.look_id <> s.look_id AND m.before = 1
        AND (m.compiler_id IS NULL OR s.compiler_id IS NULL))))
    OR (s.removed > 0 AND (s.after = 1 OR EXISTS (
      SELECT 1 FROM state m
      WHERE m.series_id = s.series_id AND m.moment = s.moment AND m.look_id <> s.look_id AND m.after = 1
        AND (m.compiler_id IS NULL OR s.compiler_id IS NULL))))),
grouped AS MATERIALIZED (
  SELECT
    series_id, moment, look_id, place,
    sum(added) OVER (PARTITION BY series_id, moment, place)   AS added,
    sum(removed) OVER (PARTITION BY series_id, moment, place) AS removed
  FROM placed),
-- The hashes decide which builds of the larger side are the rebuilt ones.
told AS MATERIALIZED (
  SELECT
    g.series_id, g.moment, g.place, g.added, g.removed, c.change, c.spec_id, x.hash,
    CASE WHEN row_number() OVER (PARTITION BY g.series_id, g.moment, g.place, c.change ORDER BY x.hash) <= min(g.added, g.removed)
      THEN 'rebuilt' ELSE 'copies' END AS cause
  FROM grouped g
  CROSS JOIN (
    SELECT series_id, moment, look_id, spec_id, 'added' AS change FROM touching WHERE added = 1
    UNION ALL
    SELECT series_id, moment, look_id, spec_id, 'removed' FROM touching WHERE removed = 1) c
    ON c.series_id = g.series_id AND c.moment = g.moment AND c.look_id = g.look_id
  CROSS JOIN spec x ON x.spec_id = c.spec_id)
SELECT
  r.name AS series,
  strftime('%Y-%m-%dT%H:%M:%SZ', t.moment, 'unixepoch') AS taken_at,
  s.name AS snapshot,
  (SELECT b.name FROM snapshot b WHERE b.series_id = t.series_id AND b.taken_at < t.moment ORDER BY b.taken_at DESC LIMIT 1) AS before,
  t.change, o.cause, o.added, o.removed, other.hash
FROM turn t
CROSS JOIN series r ON r.series_id = t.series_id
CROSS JOIN snapshot s ON s.series_id = t.series_id AND s.taken_at = t.moment
LEFT JOIN told o ON o.series_id = t.series_id AND o.moment = t.moment AND o.change = t.change AND o.spec_id = :spec_id
LEFT JOIN told other
  ON o.cause = 'rebuilt' AND other.cause = 'rebuilt'
 AND other.series_id = o.series_id AND other.moment = o.moment AND other.place = o.place AND other.change <> o.change
ORDER BY r.name, t.moment, other.hash;
