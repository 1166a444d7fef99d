-- A rule of `forget` hands the commits of a snapshot that it removes over to the next snapshot that stays, so that they still
-- count as loaded. They have no part in that one.
ALTER TABLE commit_snapshot ADD COLUMN forgotten TEXT;  -- name of the removed snapshot; '': it is not known; NULL: none was

CREATE INDEX commit_snapshot_forgotten ON commit_snapshot (forgotten) WHERE forgotten IS NOT NULL;

-- Until now such commits were those that the source of the snapshot does not name, where it names one.
WITH own AS (
  SELECT c.commit_id, c.path, c.tag, c.snapshot_id
  FROM commit_snapshot c
  JOIN snapshot s USING (snapshot_id, tag)
  WHERE instr(s.source, lower(hex(c.commit_id))) > 0
)
UPDATE commit_snapshot SET forgotten = ''
WHERE snapshot_id IN (SELECT snapshot_id FROM own) AND (commit_id, path, tag) NOT IN (SELECT commit_id, path, tag FROM own)
   OR tag <> (SELECT s.tag FROM snapshot s WHERE s.snapshot_id = commit_snapshot.snapshot_id);
