#pragma once

#include <SQLiteCpp/Database.h>

#include <span>
#include <string>

#include "schema/basics/embedded_text.hpp"

namespace cacheledger {

/// "CLgr", PRAGMA application_id: marks the file as a ledger, so that another program's database is
/// never migrated.
constexpr int application_id = 0x434c6772;

/// schema/migrations/*.sql, in order. The number of a file is the schema version that it leads to.
extern const std::span<const EmbeddedText> migration_texts;

/// schema/views/*.sql, in an order in which each may use those before it.
extern const std::span<const EmbeddedText> view_texts;

/// The schema version of the file (PRAGMA user_version); 0 for an empty one.
int schema_version(SQLite::Database& database);

/// The schema version that this program writes.
int newest_schema_version();

/// Throws DatabaseError, naming the file so, where migrate() can't start from its schema version.
void refuse_unknown_version(SQLite::Database& database, const std::string& file);

/// Whether the file has the views that this program makes.
bool views_are_current(SQLite::Database& database);

/// Brings the file to the newest schema version: pending migrations, then the views, all in one
/// transaction with the new version number. Does nothing where there is nothing to do. Throws
/// SQLite::Exception, and as refuse_unknown_version().
void migrate(SQLite::Database& database);

}  // namespace cacheledger
