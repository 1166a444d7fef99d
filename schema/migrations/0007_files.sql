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

-- Whether the text of the node says more than is stored, or something that is only found by reading it. Such a text is read
-- each time, so that each snapshot has its findings, and what it lacks can be filled.
ALTER TABLE node ADD COLUMN read_again INTEGER NOT NULL DEFAULT 0 CHECK (read_again IN (0, 1));

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('snapshot_file', 'snapshot_file', '2000 20 1');
ANALYZE sqlite_schema;
