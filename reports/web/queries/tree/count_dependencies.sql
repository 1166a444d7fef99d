-- How many builds a build needs: directly, and in all; of those, how many the snapshot :at has, how many are external, and of how many
-- the dependencies are not known.
WITH RECURSIVE below (spec_id) AS (
  SELECT dependency_id FROM dependency WHERE spec_id = :spec_id
  UNION
  SELECT d.dependency_id FROM below b CROSS JOIN dependency d ON d.spec_id = b.spec_id)
SELECT
  (SELECT count(DISTINCT dependency_id) FROM dependency WHERE spec_id = :spec_id) AS direct,
  count(*) AS builds,
  count(DISTINCT l.package_id) AS packages,
  count(*) FILTER (WHERE EXISTS (
    SELECT 1
    FROM snapshot s
    CROSS JOIN presence p
      ON p.series_id = s.series_id AND p.package_id = l.package_id AND p.look_id = x.look_id AND p.spec_id = x.spec_id
     AND p.valid_from <= s.taken_at AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
    WHERE s.name = :at)) AS here,
  count(*) FILTER (WHERE r.external = 1) AS external,
  count(*) FILTER (WHERE n.spec_id IS NULL) AS unknown
FROM below b
CROSS JOIN spec x ON x.spec_id = b.spec_id
CROSS JOIN look l ON l.look_id = x.look_id
LEFT JOIN node n ON n.spec_id = x.spec_id
LEFT JOIN recipe r ON r.recipe_id = n.recipe_id;
