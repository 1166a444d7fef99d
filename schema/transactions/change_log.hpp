#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstdint>
#include <string>

/// The log of what was written, for copies of a ledger that are kept up to date. The tables
/// `written` and `changed_row` have it; schema/migrations/0008_log.sql says what their rows mean.
///
/// A copy that was made when newest_written() was L differs from the ledger only in
///  - rows with an id above the greatest that the table had then, and what belongs to them;
///  - rows that `changed_row` names with a written_id of at least L, and what belongs to them;
///  - of presence, page_presence and root_presence: all intervals of a thing (what the key has
///    before valid_from) that has or had an interval which begins or ends at a snapshot that
///    `written` names after L.
/// It does not differ at all if newest_written() is still L.
namespace cacheledger {

/// What happened to a snapshot: see the column `what` of `written`.
enum class Noted { written, replaced, forgotten };

/// From now on the rows that this connection changes are noted, by temporary triggers: those of the
/// file itself do not run. Must be called once for a connection that writes, after migrate().
void note_changed_rows(SQLite::Database& database);

/// Notes what happens to a snapshot. It must be in the ledger.
void note_snapshot(SQLite::Database& database, Noted what, std::int64_t snapshot_id);

/// Notes that a transaction changed rows, but no snapshot.
void note_filled(SQLite::Database& database);

/// The newest id of `written`, or 0.
std::int64_t newest_written(SQLite::Database& database);

/// Notes a row of `node` that the triggers do not: one that is inserted for a spec that the ledger
/// has, or that gets other dependencies.
class NodeNotes {
  public:
    explicit NodeNotes(SQLite::Database& database);
    void add(std::int64_t spec_id);

  private:
    SQLite::Statement insert_;
};

/// SQL for the id of the next row of a table for whose rows the program chooses ids: the triggers
/// do not note those, so ids of deleted rows are not used again.
std::string next_id_query(const std::string& table);

}  // namespace cacheledger
