-- The kinds of dependencies, each with the first form of nodes in which such an edge is part of the hash: link and run always are,
-- build since form 3, test since form 5. An edge with `since` <= node.form belongs to the hash of the spec that depends.
CREATE VIEW edge_kinds AS
SELECT
  edge_kind_id,
  deptypes,
  virtuals,
  is_link,
  is_run,
  CASE WHEN is_link = 1 OR is_run = 1 THEN 1 WHEN is_build = 1 THEN 3 ELSE 5 END AS since
FROM edge_kind;
