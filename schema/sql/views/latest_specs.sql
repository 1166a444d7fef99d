-- One row for each spec in the newest snapshot of pages or indexes, which `latest` names: the rows of specs for that
-- snapshot.
CREATE VIEW latest_specs AS
SELECT *
FROM specs
WHERE snapshot_id = (
  SELECT snapshot_id
  FROM snapshot
  WHERE kind IN ('pages', 'index')
  ORDER BY taken_at DESC, tag <> 'develop', name
  LIMIT 1);
