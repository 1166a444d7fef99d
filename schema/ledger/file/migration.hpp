#pragma once

#include <SQLiteCpp/Database.h>

#include <span>
#include <string>

#include "schema/text/embedded_text.hpp"

namespace cacheledger {

/// The value of PRAGMA application_id ("CLdb") in every ledger. A database without it belongs to
/// another program and is never migrated.
constexpr int application_id = 0x434c6462;

/// What it was ("CLgr") in the ledgers of programs before the first release, which counted their
/// schema versions from 1 on, too. They are refused: nothing could tell theirs from those of now.
constexpr int development_application_id = 0x434c6772;

/// What it is ("CLpl") in a copy for other tools (ledger_copy.hpp), which is no ledger.
constexpr int plain_application_id = 0x434c706c;

/// schema/sql/migrations/*.sql, in order. The number of a file is the schema version that it leads
/// to.
extern const std::span<const EmbeddedText> migration_texts;

/// schema/sql/helper_views/*.sql and schema/sql/views/*.sql. Each list is ordered so that a view
/// uses only earlier ones; public views use helper views, and not the other way round.
extern const std::span<const EmbeddedText> helper_view_texts;
extern const std::span<const EmbeddedText> view_texts;

/// The schema version of a database (PRAGMA user_version); 0 for an empty file.
int schema_version(SQLite::Database& database);

/// The schema version that this program writes.
int newest_schema_version();

/// Throws DatabaseError if migrate() can't lead from the schema version of the database to
/// `newest`. `file` is its name in the message.
void refuse_unknown_version(SQLite::Database& database, const std::string& file,
                            int newest = newest_schema_version());

/// Whether the database has exactly the views that this program makes, by their text.
bool views_are_current(const SQLite::Database& database);

/// The statements that make the views of this program for one connection, in front of those of the
/// database, as far as they are not made. A temporary table of the connection hides a table of the
/// ledger from these views only.
std::string temporary_views();

/// Has this connection read the views of this program: where those of the database are not exactly
/// these, because another cacheledger or a stranger made them, makes temporary ones. That takes
/// longer than most questions. Throws SQLite::Exception.
void use_own_views(const SQLite::Database& database);

/// Brings the database to the newest schema version, in one transaction: runs the pending
/// migrations, makes the views again, and sets the new version number. `migrations`: others are for
/// tests. Throws SQLite::Exception, and DatabaseError like refuse_unknown_version().
void migrate(SQLite::Database& database,
             std::span<const EmbeddedText> migrations = migration_texts);

}  // namespace cacheledger
