#include "schema/ledger/migration.hpp"

#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "schema/basics/error.hpp"

namespace cacheledger {

namespace {

// The text of all views that the database has.
std::string stored_views(SQLite::Database& database) {
    return database
        .execAndGet(
            "SELECT ifnull(group_concat(sql, char(10)), '') FROM (SELECT sql FROM sqlite_schema "
            "WHERE type = 'view' ORDER BY rowid)")
        .getString();
}

// The database may come from a stranger: %w quotes the names of views for SQL.
std::vector<std::string> statements_to_drop_views(SQLite::Database& database) {
    std::vector<std::string> statements;
    SQLite::Statement query(
        database, "SELECT format('DROP VIEW \"%w\"', name) FROM sqlite_schema WHERE type = 'view'");
    while (query.executeStep()) {
        statements.push_back(query.getColumn(0).getString());
    }
    return statements;
}

void recreate_views(SQLite::Database& database) {
    for (const std::string& statement : statements_to_drop_views(database)) {
        database.exec(statement);
    }
    for (const auto& views : {helper_view_texts, view_texts}) {
        for (const EmbeddedText& view : views) {
            database.exec(std::string(view.text));
        }
    }
}

}  // namespace

// The views are made once in memory and compared there, because SQLite stores their text without
// the comments before the statement.
bool views_are_current(SQLite::Database& database) {
    SQLite::Database fresh(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    recreate_views(fresh);
    return stored_views(database) == stored_views(fresh);
}

void make_temporary_views(const SQLite::Database& database) {
    constexpr std::string_view create = "CREATE VIEW ";
    for (const auto& views : {helper_view_texts, view_texts}) {
        for (const EmbeddedText& view : views) {
            std::string text(view.text);
            text.replace(text.find(create), create.size(), "CREATE TEMP VIEW IF NOT EXISTS ");
            SQLite::Statement(database, text).exec();
        }
    }
}

int schema_version(SQLite::Database& database) {
    return database.execAndGet("PRAGMA user_version").getInt();
}

int newest_schema_version() {
    return static_cast<int>(migration_texts.size());
}

void refuse_unknown_version(SQLite::Database& database, const std::string& file, int newest) {
    const int version = schema_version(database);
    if (version < 0) {
        throw DatabaseError(
            fmt::format("{}: schema version {}, which no cacheledger writes", file, version));
    }
    if (version > newest) {
        throw DatabaseError(fmt::format(
            "{}: written by a newer cacheledger (schema version {}, this one knows {}); update "
            "cacheledger",
            file, version, newest));
    }
}

void migrate(SQLite::Database& database, std::span<const EmbeddedText> migrations) {
    const int newest = static_cast<int>(migrations.size());
    if (schema_version(database) == newest && views_are_current(database)) {
        return;
    }
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    // The version is read again: another process may have migrated while this one waited for the
    // lock.
    refuse_unknown_version(database, database.getFilename(), newest);
    for (int version = schema_version(database); version < newest; ++version) {
        database.exec(std::string(migrations[static_cast<std::size_t>(version)].text));
    }
    recreate_views(database);
    database.exec(fmt::format("PRAGMA application_id = {}", application_id));
    database.exec(fmt::format("PRAGMA user_version = {}", newest));
    transaction.commit();
}

}  // namespace cacheledger
