#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// The log of what was written, for copies of a ledger that are kept up to date. The tables
/// `written` and `changed_range` have it; schema/migrations/0008_log.sql says what their rows mean.
///
/// A copy that was made when newest_written() was L differs from the ledger only in
///  - rows with an id above the greatest that the table had then, and what belongs to them;
///  - rows that `changed_range` names with a written_id of at least L, and what belongs to them;
///  - of presence, page_presence and root_presence: all intervals of a thing (what the key has
///    before valid_from) that has or had an interval which begins or ends at a snapshot that
///    `written` names after L.
/// It does not differ at all if newest_written() is still L.
namespace cacheledger {

/// The tables that say what happened to a file, and not what is in it.
inline constexpr std::array<std::string_view, 3> tables_of_log = {"changed_range",
                                                                  "ledger_identity", "written"};

/// What happens to a snapshot: see the column `what` of `written`.
enum class Noted { written, replaced, forgotten };

/// Notes what happens to a snapshot. It must be in the ledger.
void note_snapshot(SQLite::Database& database, Noted what, std::int64_t snapshot_id);

/// The newest id of `written`, or 0.
std::int64_t newest_written(SQLite::Database& database);

/// Makes the table temp.changed_row (table_name, row_id, written_id): the rows that `changed_range`
/// names with a written_id of at least `since`, one by one, each with one such written_id.
void list_changed_rows(SQLite::Database& database, std::int64_t since);

/// Notes rows of which the tables without an id have other rows than before.
class RowNotes {
  public:
    explicit RowNotes(SQLite::Database& database);

    /// `table`, `id`: as in `changed_range`.
    void add(std::string_view table, std::int64_t id);

  private:
    SQLite::Statement insert_;
};

/// Collects which rows of the tables with an id a transaction changes. SQLite tells it. An UPDATE
/// counts even if it sets the values that the row has. Deleting all rows of a table without WHERE,
/// and INSERT OR REPLACE, are not told.
class ChangeLog {
  public:
    /// Call this at the beginning of the transaction. The database must outlive this, and have only
    /// one of it.
    explicit ChangeLog(SQLite::Database& database);
    ~ChangeLog();
    ChangeLog(const ChangeLog&) = delete;
    ChangeLog& operator=(const ChangeLog&) = delete;

    /// Writes what was collected. If anything changed, but no snapshot was noted, that is noted.
    void write();

  private:
    struct Table {
        std::int64_t greatest_id = 0;  // that any row ever had
        std::vector<std::int64_t> changed;
    };

    static void take(void* log, int what, const char* schema, const char* name, std::int64_t id);
    void take(int what, std::string_view name, std::int64_t id);

    SQLite::Database& database_;
    std::array<Table, 19> tables_;
    std::size_t last_ = 0;  // the table that was changed last
    std::int64_t written_before_ = 0;
    std::int64_t changes_before_ = 0;
};

}  // namespace cacheledger
