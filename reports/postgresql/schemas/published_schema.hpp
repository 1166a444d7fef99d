#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/engine/server/connection.hpp"
#include "reports/postgresql/rows/ledger_rows.hpp"
#include "schema/sqlite/transactions/ledger_state.hpp"

/// The schemas of a published ledger: how they are made, and brought up to date. What is there is
/// never replaced, because the views and publications of users hang on it. All throw what
/// PostgresConnection throws, and none ends a transaction.

/// What the last publishes of a ledger changed. The server keeps it, so that a copy of an earlier
/// state can fetch that and no more. Two tables of "NAME tables":
///
/// - publication: a row for each publish that made a new state, for ever. `rows`: how many it
///   changed; NULL if that is not kept, or not any more. With numbers up to 0, states that
///   the ledger was in before.
/// - publication_change: the changes of one publication and one table, as lines of COPY. old_keys:
///   of the rows that were deleted or replaced; new_rows: those that were inserted or replace
///   others. Large ones have several parts, to be applied in their order: all keys come first.
namespace cacheledger {

/// The schema of what all ledgers of a database share: the views over all of them.
inline constexpr const char* shared_schema = "cacheledger";

/// The name that a ledger is published as, and its schemas in PostgreSQL:
///
///     "NAME"          the tables, and the public views
///     "NAME tables"   a view for each table, because who only reads is granted views alone; the
///                     functions of SQLite that queries use; what the last publishes changed; and
///                     for each public view X the view of_all_X, of which all_X is made
class PublishedName {
  public:
    /// Throws UsageError unless the name has letters, digits, _, . and -, at most 48, begins with a
    /// letter, and is none that PostgreSQL or this program uses otherwise.
    explicit PublishedName(std::string name);

    const std::string& text() const { return name_; }

    /// The schemas, in quotes.
    std::string schema() const;
    std::string schema_of_tables() const;

    /// What search_path is for who reads: the tables by their own names, the functions, the views.
    std::string search_path() const;

    /// A number of 32 bits that stands for the name in advisory locks.
    int lock_key() const;

  private:
    std::string name_;
};

/// The row of the table `published`: what a published ledger is a copy of.
struct PublishedRow {
    LedgerState state;
    std::int64_t schema_version = 0;  ///< of the ledger
    std::string layout;               ///< published_layout()
    std::string program;              ///< "cacheledger 0.1.0"
    std::string published_at;         ///< 2025-03-30T06:00:00Z; written by the server

    /// CREATE TABLE, with a row without content. `schema`: in quotes.
    static std::string create_statement(const std::string& schema);
};

/// Reads the row. Nothing if there is no schema of this name; an empty one if somebody deleted the
/// row. Throws UsageError if there is a schema that is no published ledger.
std::optional<PublishedRow> read_published(PostgresConnection& connection,
                                           const PublishedName& name);

/// Like read_published(), but throws UsageError, which names the ledgers that are there, if this
/// one is not.
PublishedRow require_published(PostgresConnection& connection, const PublishedName& name);

/// The names of all ledgers in the database.
std::vector<std::string> published_names(PostgresConnection& connection);

/// Locks the row until the end of the transaction, where a server has no advisory locks. Throws
/// DatabaseError if it is another than `published` by now.
void lock_published(PostgresConnection& connection, const PublishedName& name,
                    const PublishedRow& published);

/// Writes the row, with the time of the transaction.
void write_published(PostgresConnection& connection, const PublishedName& name,
                     const PublishedRow& row);

/// A digest of all statements that make the schemas, and of what readers may read. A ledger that
/// was published with another one is brought up to date.
std::string published_layout();

/// Makes the schemas with empty tables, and the row of `published` without content. Tables have no
/// keys and indexes yet: rows are loaded in half the time without.
void make_tables(PostgresConnection& connection, const PublishedName& name);

/// Makes what readers and further publishes need, after the rows are there: keys, indexes,
/// statistics.
void make_keys(PostgresConnection& connection, const PublishedName& name);

/// The published tables that lack a column of the ledger's, or are not there.
std::vector<LedgerTable> incomplete_tables(PostgresConnection& connection,
                                           const PublishedName& name);

/// Gives the server the tables and columns that it lacks. Who reads such a table is waited for.
void complete_tables(PostgresConnection& connection, const PublishedName& name);

/// Says that the columns of complete_tables() have a value in all rows, now that they have.
void require_values(PostgresConnection& connection, const PublishedName& name);

/// Makes the functions, indexes and views with their comments. A view that is there keeps its
/// columns and their order, and gets those that it lacks.
void make_views(PostgresConnection& connection, const PublishedName& name);

/// Begins the transaction of a publish, with settings that end it if this program or its machine
/// ends, and takes the lock of the ledger's name. Throws UsageError if the database has texts in
/// another encoding than UTF-8, and DatabaseError if another publish has the lock for a minute.
void begin_publish(PostgresConnection& connection, const PublishedName& name);

/// Begins a transaction that sees one state and writes nothing. A standby allows it, too.
void begin_check(PostgresConnection& connection);

/// Runs `work`. If it throws PostgresError, the transaction is as it was before.
void in_savepoint(PostgresConnection& connection, const std::function<void()>& work);

/// Whether somebody has what a statement needs at this moment.
bool is_locked(const PostgresError& error);

/// Runs `work`, which waits only a moment for a lock: everybody who wants to read would queue
/// behind it. Tries so often, a tenth of a second apart. False: somebody had the locks each time,
/// and the transaction is as it was before, as it is when `work` throws. Locks that readers meet
/// belong in one `work`: the server ends a reader who waits a second for one of them while another
/// one is waited for.
bool with_short_locks(PostgresConnection& connection, int tries, const std::function<void()>& work);

/// CREATE TABLE for both, if they are not there.
std::string kept_changes_statements(const PublishedName& name);

/// Notes that the ledger is now in the state `token`, and what changed. `rows_of_ledger`: in all
/// tables; changes of more than a tenth of it are forgotten, the oldest first.
void keep_changes(PostgresConnection& connection, const PublishedName& name,
                  const std::string& token, const std::vector<TableDifference>& differences,
                  std::int64_t rows_of_ledger);

/// Notes that the ledger is now in the state `token`, which no changes lead to: it was published
/// whole.
void keep_no_changes(PostgresConnection& connection, const PublishedName& name,
                     const std::string& token);

/// Notes that the ledger was in these states, so that a file in one of them is told from one that
/// its user wrote to. What changed since is not known.
void keep_earlier_states(PostgresConnection& connection, const PublishedName& name,
                         const std::vector<std::string>& tokens);

}  // namespace cacheledger
