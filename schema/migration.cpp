#include "schema/migration.hpp"

#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>
#include <fmt/format.h>

#include <string>
#include <vector>

namespace cacheledger {

namespace {

// The views as they are in the file, all texts together.
std::string stored_views(SQLite::Database& database) {
    return database
        .execAndGet(
            "SELECT ifnull(group_concat(sql, char(10)), '') FROM (SELECT sql FROM sqlite_schema "
            "WHERE type = 'view' ORDER BY rowid)")
        .getString();
}

std::vector<std::string> view_names(SQLite::Database& database) {
    std::vector<std::string> names;
    SQLite::Statement query(database, "SELECT name FROM sqlite_schema WHERE type = 'view'");
    while (query.executeStep()) {
        names.push_back(query.getColumn(0).getString());
    }
    return names;
}

void recreate_views(SQLite::Database& database) {
    for (const std::string& name : view_names(database)) {
        database.exec(fmt::format("DROP VIEW \"{}\"", name));
    }
    for (const EmbeddedText& view : view_texts) {
        database.exec(std::string(view.text));
    }
}

}  // namespace

// The views as this program would make them: made once in memory, since SQLite keeps their text
// without comments before the statement.
bool views_are_current(SQLite::Database& database) {
    SQLite::Database fresh(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    recreate_views(fresh);
    return stored_views(database) == stored_views(fresh);
}

int schema_version(SQLite::Database& database) {
    return database.execAndGet("PRAGMA user_version").getInt();
}

int newest_schema_version() {
    return static_cast<int>(migration_texts.size());
}

void migrate(SQLite::Database& database) {
    if (schema_version(database) == newest_schema_version() && views_are_current(database)) {
        return;
    }
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    // Read again: another process may have migrated while this one waited for the lock.
    const auto applied = static_cast<std::size_t>(schema_version(database));
    for (const EmbeddedText& migration : migration_texts.subspan(applied)) {
        database.exec(std::string(migration.text));
    }
    recreate_views(database);
    database.exec(fmt::format("PRAGMA user_version = {}", newest_schema_version()));
    transaction.commit();
}

}  // namespace cacheledger
