-- The commits of git repositories that are in the ledger (ingest --history). The next run skips them.

-- One tag whose pages a commit touched, and the snapshot with these pages. `path` is the folder of the repository that
-- was loaded, '' for the whole repository. A commit is in the ledger if it has as many rows as it touched tags.
-- Forgetting a snapshot by its name deletes the rows of its own commits, and the next run reads those again. A rule hands the
-- rows over to the next snapshot that stays, and `forgotten` then is the name of the removed one ('': it is not known; NULL: the
-- commit is the snapshot's own). Those count as loaded, whatever becomes of the snapshot that keeps them.
CREATE TABLE commit_snapshot (
  commit_id    BLOB NOT NULL CHECK (length(commit_id) = 20),
  path         TEXT NOT NULL,
  tag          TEXT NOT NULL,
  snapshot_id  INTEGER NOT NULL REFERENCES snapshot ON DELETE CASCADE,
  tags_touched INTEGER NOT NULL,                    -- by the commit
  PRIMARY KEY (commit_id, path, tag)
) STRICT, WITHOUT ROWID;

CREATE INDEX commit_snapshot_snapshot ON commit_snapshot (snapshot_id);
