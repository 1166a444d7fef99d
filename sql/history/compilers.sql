-- title: Compilers from snapshot to snapshot
-- How many builds of each snapshot each compiler built. Builds without a compiler have an empty `compiler`: since Spack 1.0
-- only builds that use a compiler have one. The first snapshot in which a compiler has no build any more has a row with 0.
-- param: series glob = *        only series that match
-- param: package glob = *       only packages that match
-- param: stack glob = null      only builds in stacks that match; '(no stack)': in none
-- implied: series taken_at
-- chart: areas: taken_at specs by compiler each series
-- caption: Builds in each snapshot, by compiler
-- unit: builds specs
-- filters: looks
-- form: history/growth by compiler
WITH chosen AS MATERIALIZED (
  SELECT stack_set_id FROM stack_set_stacks WHERE stack = :stack OR glob(:stack, stack)),
step AS MATERIALIZED (
  SELECT series_id, compiler_id, moment, sum(more) AS more
  FROM (
    SELECT p.series_id, l.compiler_id, p.valid_from AS moment, 1 AS more
    FROM presence p
    CROSS JOIN asked_looks l ON l.look_id = p.look_id
    WHERE p.series_id IN (SELECT series_id FROM series WHERE glob(:series, name))
      AND (:package = '*' OR p.package_id IN (SELECT package_id FROM package WHERE glob(:package, name)))
      AND (:stack IS NULL OR p.stack_set_id IN (SELECT stack_set_id FROM chosen))
    UNION ALL
    SELECT p.series_id, l.compiler_id, p.valid_to, -1
    FROM presence p
    CROSS JOIN asked_looks l ON l.look_id = p.look_id
    WHERE p.valid_to IS NOT NULL
      AND p.series_id IN (SELECT series_id FROM series WHERE glob(:series, name))
      AND (:package = '*' OR p.package_id IN (SELECT package_id FROM package WHERE glob(:package, name)))
      AND (:stack IS NULL OR p.stack_set_id IN (SELECT stack_set_id FROM chosen))) e
  GROUP BY series_id, compiler_id, moment),
counted AS (
  SELECT
    s.series_id, s.name, s.taken_at, b.compiler_id,
    coalesce(t.more, 0)                             AS more,
    sum(coalesce(t.more, 0)) OVER until_now         AS specs
  FROM (SELECT series_id, compiler_id, min(moment) AS first FROM step GROUP BY series_id, compiler_id) b
  JOIN snapshot s ON s.series_id = b.series_id AND s.taken_at >= b.first
  LEFT JOIN step t
    ON t.series_id = b.series_id
   AND coalesce(t.compiler_id, 0) = coalesce(b.compiler_id, 0)
   AND t.moment = s.taken_at
  WINDOW until_now AS (PARTITION BY b.series_id, b.compiler_id ORDER BY s.taken_at))
SELECT
  r.name                                                  AS series,
  n.name                                                  AS snapshot,
  strftime('%Y-%m-%dT%H:%M:%SZ', n.taken_at, 'unixepoch') AS taken_at,
  c.spec                                                  AS compiler,
  n.specs
FROM counted n
JOIN series r ON r.series_id = n.series_id
LEFT JOIN compiler c ON c.compiler_id = n.compiler_id
WHERE n.specs > 0 OR n.more <> 0
ORDER BY r.name, n.taken_at, c.sort_key NULLS FIRST;
