-- title: What the cache lists and can't serve
-- Nodes that specs of the snapshot need to link or to run, directly or not, and that are neither in the snapshot nor external: a
-- user of these specs has to build them. `needed_by` counts the specs that need the node, of `packages` packages. A spliced
-- node is there if the spec that was built is. The index and the files of a mirror may disagree. What the index lists and the
-- mirror has no file of is 'missing', needed or not. What the mirror has and its index does not list is 'unlisted'. The row
-- 'unknown' counts specs whose dependencies no source gives.
-- param: at snapshot = latest   the snapshot
-- param: package glob = *       only missing packages that match
-- filters: looks
WITH RECURSIVE
kind (edge_kind_id) AS MATERIALIZED (SELECT edge_kind_id FROM edge_kind WHERE is_link = 1 OR is_run = 1),
present (spec_id) AS MATERIALIZED (
  SELECT p.spec_id
  FROM snapshot s
  CROSS JOIN presence p
    ON p.series_id = s.series_id
   AND +p.valid_from <= s.taken_at
   AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
  WHERE s.name = :at),
-- DISTINCT comes before the search among the specs present: few are left.
direct (spec_id) AS MATERIALIZED (
  SELECT DISTINCT d.dependency_id
  FROM present p
  CROSS JOIN dependency d ON d.spec_id = p.spec_id
  CROSS JOIN kind k ON k.edge_kind_id = d.edge_kind_id),
absent (spec_id) AS (
  SELECT spec_id FROM direct WHERE spec_id NOT IN (SELECT spec_id FROM present)
  UNION
  SELECT d.dependency_id
  FROM absent a
  CROSS JOIN dependency d ON d.spec_id = a.spec_id
  CROSS JOIN kind k ON k.edge_kind_id = d.edge_kind_id
  WHERE d.dependency_id NOT IN (SELECT spec_id FROM present)),
missing (spec_id) AS MATERIALIZED (
  SELECT a.spec_id
  FROM absent a
  LEFT JOIN node n ON n.spec_id = a.spec_id
  LEFT JOIN recipe r ON r.recipe_id = n.recipe_id
  WHERE r.external IS DISTINCT FROM 1
    AND NOT EXISTS (
      SELECT 1 FROM spec b WHERE b.hash = n.build_hash AND b.spec_id IN (SELECT spec_id FROM present))),
above (missing_id, spec_id) AS (
  SELECT spec_id, spec_id FROM missing
  UNION
  SELECT u.missing_id, d.spec_id
  FROM above u
  CROSS JOIN dependency d ON d.dependency_id = u.spec_id
  CROSS JOIN kind k ON k.edge_kind_id = d.edge_kind_id),
-- 'zlib@1.3/HASH', or '/HASH' if the name of a file does not say more
noticed (state, package_id, spec, hash) AS MATERIALIZED (
  SELECT DISTINCT
    CASE f.kind WHEN 'binary-missing' THEN 'missing' ELSE 'unlisted' END,
    f.package_id, substr(f.detail, 1, length(f.detail) - 33), substr(f.detail, length(f.detail) - 31)
  FROM snapshot s
  CROSS JOIN finding f ON f.snapshot_id = s.snapshot_id
  WHERE s.name = :at AND f.kind IN ('binary-missing', 'binary-unlisted')),
counted (missing_id, needed_by, packages) AS (
  SELECT u.missing_id, count(*), count(DISTINCT l.package_id)
  FROM above u
  CROSS JOIN spec x ON x.spec_id = u.spec_id
  CROSS JOIN look l ON l.look_id = x.look_id
  WHERE u.spec_id IN (SELECT spec_id FROM present)
  GROUP BY u.missing_id)
SELECT
  CASE WHEN EXISTS (SELECT 1 FROM noticed n WHERE n.hash = x.hash AND n.state = 'unlisted') THEN 'unlisted'
       ELSE 'missing' END AS state,
  k.name AS package, v.version, x.hash, c.needed_by, c.packages
FROM counted c
CROSS JOIN spec x ON x.spec_id = c.missing_id
CROSS JOIN asked_looks l ON l.look_id = x.look_id
CROSS JOIN package k ON k.package_id = l.package_id
LEFT JOIN version v ON v.version_id = l.version_id
WHERE glob(:package, k.name)
UNION ALL
SELECT n.state, k.name, CASE WHEN instr(n.spec, '@') > 0 THEN substr(n.spec, instr(n.spec, '@') + 1) END, n.hash, 0, 0
FROM noticed n
LEFT JOIN package k ON k.package_id = n.package_id
WHERE glob(:package, coalesce(k.name, ''))
  AND NOT EXISTS (
    SELECT 1 FROM spec x
    WHERE x.hash = n.hash
      AND (x.spec_id IN (SELECT spec_id FROM present) OR x.spec_id IN (SELECT missing_id FROM counted)))
  -- a filter asks for looks, which such a build need not have
  AND (EXISTS (SELECT 1 FROM spec x CROSS JOIN asked_looks l ON l.look_id = x.look_id WHERE x.hash = n.hash)
    OR (SELECT count(*) FROM asked_looks) = (SELECT count(*) FROM look))
UNION ALL
SELECT 'unknown', NULL, NULL, NULL, count(*), count(DISTINCT l.package_id)
FROM present p
CROSS JOIN spec x ON x.spec_id = p.spec_id
CROSS JOIN look l ON l.look_id = x.look_id
WHERE NOT EXISTS (SELECT 1 FROM node n WHERE n.spec_id = p.spec_id)
HAVING count(*) > 0
ORDER BY state, needed_by DESC, package NULLS FIRST, hash NULLS FIRST;
