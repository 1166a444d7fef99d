-- The builds of the package that are nearest to a build, in the snapshot :at: those with the same look, recipe and splice are one row
-- (`builds`), with the smallest of their hashes. To compare variants takes most of the time, so what counts more is compared first.
WITH
there AS MATERIALIZED (
  SELECT p.look_id, min(p.spec_id) AS spec_id
  FROM snapshot s
  CROSS JOIN spec x ON x.spec_id = :spec_id
  CROSS JOIN look w ON w.look_id = x.look_id
  CROSS JOIN presence p
    ON p.series_id = s.series_id AND p.package_id = w.package_id
   AND +p.valid_from <= s.taken_at AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
  WHERE s.name = :at AND p.spec_id <> x.spec_id
  GROUP BY p.look_id),
rough AS MATERIALIZED (
  SELECT look_id, family, target, rank() OVER (ORDER BY family, system, target, version) AS place
  FROM (
    SELECT t.look_id, d.family, d.system, d.target, d.version
    FROM there t
    CROSS JOIN spec_distances d ON d.wanted_id = :spec_id AND d.spec_id = +t.spec_id)),
near AS MATERIALIZED (
  SELECT x.spec_id, min(x.hash) AS hash, count(*) AS builds, g.place, g.family, g.target
  FROM rough g
  CROSS JOIN look l ON l.look_id = g.look_id
  CROSS JOIN snapshot s
  CROSS JOIN presence p
    ON p.series_id = s.series_id AND p.package_id = l.package_id AND p.look_id = l.look_id
   AND +p.valid_from <= s.taken_at AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
  CROSS JOIN spec x ON x.spec_id = p.spec_id
  LEFT JOIN node n ON n.spec_id = x.spec_id
  WHERE s.name = :at AND g.place <= :most AND x.spec_id <> :spec_id
  GROUP BY x.look_id, n.recipe_id, n.build_hash)
SELECT
  x.hash, l.version, l.compiler, l.platform, l.os, l.target, l.variants,
  r.namespace, r.package_hash, r.flags, r.patches, r.external, r.external_path, r.external_modules, n.build_hash,
  n.spec_id IS NOT NULL AS knows_dependencies,
  t.builds,
  t.family, t.target AS target_distance,
  -- The packages of direct dependencies that are other builds.
  CASE WHEN n.spec_id IS NOT NULL AND EXISTS (SELECT 1 FROM node o WHERE o.spec_id = :spec_id) THEN (
    SELECT group_concat(name, ', ')
    FROM (
      SELECT DISTINCT k.name
      FROM (
        SELECT dependency_id FROM dependency WHERE spec_id IN (:spec_id, t.spec_id)
        GROUP BY dependency_id
        HAVING count(DISTINCT spec_id) = 1) c
      CROSS JOIN spec y ON y.spec_id = c.dependency_id
      CROSS JOIN look q ON q.look_id = y.look_id
      CROSS JOIN package k ON k.package_id = q.package_id
      ORDER BY k.name)) END AS other_dependencies
FROM near t
CROSS JOIN spec_distances d ON d.wanted_id = :spec_id AND d.spec_id = +t.spec_id
CROSS JOIN spec x ON x.spec_id = t.spec_id
CROSS JOIN looks l ON l.look_id = x.look_id
LEFT JOIN node n ON n.spec_id = x.spec_id
LEFT JOIN recipe r ON r.recipe_id = n.recipe_id
ORDER BY t.place, d.variants, d.compiler, d.flags_or_patches, d.recipe, d.hash
LIMIT :most;
