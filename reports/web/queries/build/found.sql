-- The builds whose hash begins with :beginning: their own hash, or the hash by which an old lock file calls them. `is_here` is 1
-- where the snapshot :at has it. The '~' stands behind all characters of a hash, so the index finds the range.
SELECT
  x.spec_id, x.hash, l.package, l.version, l.compiler, l.target, l.variants,
  EXISTS (
    SELECT 1
    FROM snapshot s
    CROSS JOIN presence p
      ON p.series_id = s.series_id AND p.package_id = w.package_id AND p.look_id = x.look_id AND p.spec_id = x.spec_id
     AND p.valid_from <= s.taken_at AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
    WHERE s.name = :at) AS is_here
FROM (
  SELECT DISTINCT spec_id
  FROM hash_names
  WHERE name >= :beginning AND name < :beginning || '~'
  ORDER BY name
  LIMIT :most) n
CROSS JOIN spec x USING (spec_id)
CROSS JOIN look w USING (look_id)
CROSS JOIN looks l USING (look_id)
ORDER BY x.hash, l.package;
