-- How many entries of the lists of the stack :stack could not be read, or not be judged, at the moment of the snapshot :at.
SELECT count(*)
FROM snapshot s
JOIN wish_list l ON l.stack = :stack
JOIN wish_finding f
  ON f.package_repository_id = l.package_repository_id
 AND f.path = l.path
 AND f.valid_from <= s.taken_at
 AND (f.valid_to IS NULL OR f.valid_to > s.taken_at)
WHERE s.name = :at
