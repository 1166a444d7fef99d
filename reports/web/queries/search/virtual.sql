-- Whether this is no package, but a virtual one that packages are used for: "mpi".
SELECT
  NOT EXISTS (SELECT 1 FROM package WHERE name = :package)
  AND EXISTS (SELECT 1 FROM edge_kind WHERE ',' || virtuals || ',' LIKE '%,' || :package || ',%') AS is_virtual;
