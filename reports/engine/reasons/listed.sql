-- The specs of the snapshot :snapshot, in all stacks.
SELECT p.spec_id
FROM snapshot s
CROSS JOIN presence p
  ON p.series_id = s.series_id
 AND +p.valid_from <= s.taken_at  -- no index: it is sooner read from end to end
 AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
WHERE s.name = :snapshot;
