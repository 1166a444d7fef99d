-- The sets of variants that the other builds of the package have in the snapshot :at, with the number of these builds.
SELECT t.variants, sum(b.builds) AS builds
FROM (
  SELECT p.look_id, count(*) AS builds
  FROM snapshot s
  CROSS JOIN spec x ON x.spec_id = :spec_id
  CROSS JOIN look w ON w.look_id = x.look_id
  CROSS JOIN presence p
    ON p.series_id = s.series_id AND p.package_id = w.package_id
   AND +p.valid_from <= s.taken_at AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
  WHERE s.name = :at AND p.spec_id <> x.spec_id
  GROUP BY p.look_id) b
CROSS JOIN look l ON l.look_id = b.look_id
LEFT JOIN variant_set t ON t.variant_set_id = l.variant_set_id
GROUP BY t.variants
ORDER BY t.variants;
