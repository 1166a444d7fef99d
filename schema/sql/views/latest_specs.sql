-- One row for each spec in the snapshot that `latest` names, the newest of pages or indexes: the rows of specs for that
-- snapshot. In a ledger that has no pages and indexes it is the newest of all.
CREATE VIEW latest_specs AS
SELECT *
FROM specs
WHERE snapshot_id = (
  SELECT snapshot_id
  FROM snapshot
  WHERE kind IN ('pages', 'index') OR NOT EXISTS (SELECT 1 FROM snapshot WHERE kind IN ('pages', 'index'))
  ORDER BY taken_at DESC, tag <> 'develop', name
  LIMIT 1);
