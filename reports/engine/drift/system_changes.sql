-- The specs with the cause 'target' that are asked: in what their system (platform, operating system, target) differs from the
-- nearest one for which the other snapshot has their version. The nearest differs in fewest of the three. If several are
-- nearest and differ in other ways, `is_either` is 1, and differs_* say in what any of them differs. :from, :to, :package and
-- :stack are as in the reports of drift/.
WITH chosen AS MATERIALIZED (
  SELECT d.change, l.package_id, l.version_id, l.arch_id, count(*) AS specs
  FROM stack_drift d
  CROSS JOIN asked_looks l USING (look_id)
  WHERE d.from_snapshot = :from
    AND d.to_snapshot = :to
    AND d.stack IS NOT DISTINCT FROM :stack
    AND d.cause = 'target'
    AND d.package_id IN (SELECT package_id FROM package WHERE glob(:package, name))
  GROUP BY d.change, l.package_id, l.version_id, l.arch_id),
-- The systems for which the other snapshot has the version.
other AS MATERIALIZED (
  SELECT DISTINCT c.change, c.package_id, c.version_id, m.arch_id
  FROM (SELECT DISTINCT change, package_id, version_id FROM chosen) c
  CROSS JOIN snapshot s ON s.name = CASE c.change WHEN 'added' THEN :from ELSE :to END
  CROSS JOIN look m
    ON m.package_id = c.package_id
   AND m.version_id IS NOT DISTINCT FROM c.version_id
  WHERE EXISTS (
    SELECT 1 FROM presence p
    WHERE p.series_id = s.series_id
      AND p.package_id = m.package_id
      AND p.look_id = m.look_id
      AND p.valid_from <= s.taken_at
      AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
      AND (:stack IS NULL OR p.stack_set_id IN (
        SELECT stack_set_id FROM stack_set_stacks WHERE stack = :stack OR glob(:stack, stack))))),
pair AS (
  SELECT
    c.change, c.package_id, c.version_id, c.arch_id, c.specs,
    CASE WHEN a.platform IS DISTINCT FROM b.platform THEN 1 ELSE 0 END AS platform,
    CASE WHEN a.os IS DISTINCT FROM b.os THEN 1 ELSE 0 END             AS os,
    CASE WHEN a.target IS DISTINCT FROM b.target THEN 1 ELSE 0 END     AS target
  FROM chosen c
  JOIN other o
    ON o.change = c.change
   AND o.package_id = c.package_id
   AND o.version_id IS NOT DISTINCT FROM c.version_id
  LEFT JOIN arch a ON a.arch_id = c.arch_id
  LEFT JOIN arch b ON b.arch_id = o.arch_id),
ranked AS (
  SELECT
    pair.*,
    rank() OVER (
      PARTITION BY change, package_id, version_id, arch_id ORDER BY platform + os + target) AS place
  FROM pair)
SELECT
  r.change,
  k.name           AS package,
  v.version,
  a.platform,
  a.os,
  a.target,
  max(r.platform)  AS differs_platform,
  max(r.os)        AS differs_os,
  max(r.target)    AS differs_target,
  CASE WHEN max(r.platform) + max(r.os) + max(r.target) > min(r.platform + r.os + r.target) THEN 1 ELSE 0 END AS is_either,
  max(r.specs)     AS specs
FROM ranked r
JOIN package k ON k.package_id = r.package_id
LEFT JOIN version v ON v.version_id = r.version_id
LEFT JOIN arch a ON a.arch_id = r.arch_id
WHERE r.place = 1
GROUP BY r.change, k.name, v.version, a.platform, a.os, a.target
ORDER BY k.name, v.version, a.platform, a.os, a.target, r.change;
