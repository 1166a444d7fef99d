-- One row for each root of a lock file in each snapshot: what a user asked for (`root`, in the user's words), and the spec
-- that it became. `environment` is '' for the lock itself, else the path of the environment that it includes.
CREATE VIEW roots AS
SELECT
  s.snapshot_id,
  s.name AS snapshot,
  p.root,        -- in the user's words: hdf5@1.14 +mpi
  k.name AS package,
  x.hash,
  p.environment,  -- '' for the lock itself
  p.root_group    -- the group of the environment's roots that it is in; NULL where the file names none
FROM snapshot s
JOIN root_presence p
  ON p.series_id = s.series_id
 AND p.valid_from <= s.taken_at
 AND (p.valid_to IS NULL OR p.valid_to > s.taken_at)
JOIN spec x ON x.spec_id = p.spec_id
JOIN look l ON l.look_id = x.look_id
JOIN package k ON k.package_id = l.package_id;
