-- What happened to this ledger, for copies of it that are kept up to date: a copy that has seen the row L of `written` needs
-- only what changed since. schema/transactions/change_log.hpp says how they are asked.

-- Tells ledgers apart. One row: a copy of the file has the same, and other rows of `written` from then on.
CREATE TABLE ledger_identity (
  ledger_id TEXT NOT NULL CHECK (length(ledger_id) = 32)    -- random
) STRICT;

INSERT INTO ledger_identity (ledger_id) VALUES (lower(hex(randomblob(16))));

-- Each snapshot that was written, and each that was removed. A snapshot with unobserved stacks is written again where its
-- state follows from another that was written or removed. Rows are never deleted or changed. A ledger that was upgraded has
-- none of the time before. A transaction that changed anything has at least one.
CREATE TABLE written (
  written_id INTEGER PRIMARY KEY,
  token      TEXT NOT NULL DEFAULT (lower(hex(randomblob(8)))),  -- random: two files that parted have others
  what       TEXT NOT NULL                          -- 'replaced': removed, and written anew if there is a later row
    CHECK (what IN ('written', 'replaced', 'forgotten', 'filled')),
  series_id  INTEGER,                               -- that the series had: it may be another's since
  taken_at   INTEGER,
  snapshot   TEXT,                                  -- its name; NULL of 'filled': other rows changed, and no snapshot
  CHECK ((what = 'filled') = (snapshot IS NULL))
) STRICT;

-- Rows that were changed or deleted, or inserted with an id that an earlier row may have had: all with an id from first_id to
-- last_id (of `node`, its spec_id). Rows of tables without an id are noted as the row that they belong to: dependencies as
-- that of `node`, what a snapshot has as that of `snapshot`. 'presence' is no table with ids: it names a spec that has another
-- look since, and with it another key there. Otherwise presence, page_presence and root_presence change only in things with
-- an interval that begins or ends, or did so before, at a snapshot in `written`.
CREATE TABLE changed_range (
  table_name TEXT NOT NULL,
  last_id    INTEGER NOT NULL,                      -- first in the key: the greatest id ever is found at once
  first_id   INTEGER NOT NULL,
  written_id INTEGER NOT NULL,                      -- the newest row of `written` when they changed last; 0 before any
  PRIMARY KEY (table_name, last_id, first_id)
) STRICT, WITHOUT ROWID;

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('changed_range', 'changed_range', '10000 1000 1 1');
ANALYZE sqlite_schema;
