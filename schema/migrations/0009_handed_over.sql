-- A rule of `forget` hands the commits of a snapshot that it removes over to the next snapshot that stays, so that they still
-- count as loaded. They have no part in that one.
ALTER TABLE commit_snapshot ADD COLUMN forgotten TEXT;  -- 0002_git_history.sql says more

CREATE INDEX commit_snapshot_forgotten ON commit_snapshot (forgotten) WHERE forgotten IS NOT NULL;

-- A dated tag is the name of its snapshot.
UPDATE commit_snapshot SET forgotten = tag
WHERE tag <> (SELECT s.tag FROM snapshot s WHERE s.snapshot_id = commit_snapshot.snapshot_id);

-- Of the other tags it is a guess: commits that the source of the snapshot does not name, where it names one. Of several commits of
-- one second the source names the last. So the others are taken for such ones, too, and stay loaded if the snapshot is forgotten.
WITH own AS (
  SELECT c.commit_id, c.path, c.tag, c.snapshot_id
  FROM commit_snapshot c
  JOIN snapshot s USING (snapshot_id, tag)
  WHERE s.name <> s.tag AND instr(s.source, lower(hex(c.commit_id))) > 0
)
UPDATE commit_snapshot SET forgotten = ''
WHERE snapshot_id IN (SELECT snapshot_id FROM own) AND (commit_id, path, tag) NOT IN (SELECT commit_id, path, tag FROM own);
