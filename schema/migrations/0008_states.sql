-- The states that this file was in: one row for the empty ledger, and one for each transaction that changed it. A file is an
-- earlier state of this ledger, or a copy of one, if the newest of its tokens is here. `backup` and `publish` replace only
-- such. Files that parted have other tokens, since these are random. The first one is the identity of the ledger. Rows are
-- never deleted or changed.
CREATE TABLE ledger_state (
  state_id INTEGER PRIMARY KEY,
  token    TEXT NOT NULL UNIQUE DEFAULT (lower(hex(randomblob(16)))) CHECK (length(token) = 32)
) STRICT;

INSERT INTO ledger_state DEFAULT VALUES;

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('ledger_state', 'sqlite_autoindex_ledger_state_1', '1000 1');
ANALYZE sqlite_schema;
