-- Which commits of a git repository are in the ledger (ingest --history), so that none is read twice.

-- A tag whose pages a commit touched, and the snapshot that holds them. `path` is the folder of the
-- repository that was loaded, '' for all of it. A commit is in the ledger when it has as many rows as it touched
-- tags: a snapshot that is forgotten takes its row along, and the commit is read again by the next run.
CREATE TABLE commit_snapshot (
  commit_id    BLOB NOT NULL CHECK (length(commit_id) = 20),
  path         TEXT NOT NULL,
  tag          TEXT NOT NULL,
  snapshot_id  INTEGER NOT NULL REFERENCES snapshot ON DELETE CASCADE,
  tags_touched INTEGER NOT NULL,                    -- by the commit
  PRIMARY KEY (commit_id, path, tag)
) STRICT, WITHOUT ROWID;

CREATE INDEX commit_snapshot_snapshot ON commit_snapshot (snapshot_id);
