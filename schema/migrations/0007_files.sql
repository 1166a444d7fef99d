-- The files that a snapshot was made from, in their order, unless it is one of pages. A state whose files have the same
-- bytes is the same state, and is not read again.
CREATE TABLE snapshot_file (
  snapshot_id INTEGER NOT NULL REFERENCES snapshot ON DELETE CASCADE,
  number      INTEGER NOT NULL,       -- from 0 on
  label       TEXT NOT NULL,          -- the stack; '' for none
  size        INTEGER NOT NULL,       -- in bytes, plain or gzip
  sha256      TEXT NOT NULL CHECK (length(sha256) = 64),  -- of these bytes, in hex digits
  rules       INTEGER NOT NULL,       -- by which version of the program's rules it was read: others may read more of it
  PRIMARY KEY (snapshot_id, number)
) STRICT, WITHOUT ROWID;

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('snapshot_file', 'snapshot_file', '2000 20 1');
ANALYZE sqlite_schema;
