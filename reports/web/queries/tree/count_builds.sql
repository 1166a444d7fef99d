-- How many builds these are, :specs being a JSON array of spec_ids: in all, and of the snapshot :at; of how many packages; how many
-- are external, and of how many the dependencies are not known.
WITH
asked AS MATERIALIZED (
  SELECT
    l.package_id, r.external, n.spec_id IS NOT NULL AS is_known,
    EXISTS (
      SELECT 1
      FROM snapshot s
      CROSS JOIN presence p
        ON p.series_id = s.series_id AND p.package_id = l.package_id AND p.look_id = x.look_id AND p.spec_id = x.spec_id
       AND p.valid_from <= s.taken_at AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
      WHERE s.name = :at) AS is_here
  FROM json_each(:specs) j
  CROSS JOIN spec x ON x.spec_id = j.value
  CROSS JOIN look l ON l.look_id = x.look_id
  LEFT JOIN node n ON n.spec_id = x.spec_id
  LEFT JOIN recipe r ON r.recipe_id = n.recipe_id)
SELECT
  count(*) AS builds,
  count(DISTINCT package_id) AS packages,
  count(*) FILTER (WHERE is_here) AS here,
  count(DISTINCT package_id) FILTER (WHERE is_here) AS packages_here,
  count(*) FILTER (WHERE external = 1) AS external,
  count(*) FILTER (WHERE NOT is_known) AS unknown
FROM asked;
