#include "schema/ledger/file/migration.hpp"

#include <SQLiteCpp/Transaction.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <string>
#include <string_view>
#include <vector>

#include "schema/errors/error.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

constexpr std::string_view create_view = "CREATE VIEW ";

// The statement that makes a view as SQLite stores it: without what stands before and behind it.
std::string_view stored_text(const EmbeddedText& view) {
    const std::size_t begin = view.text.find(create_view);
    return view.text.substr(begin, view.text.rfind(';') - begin);
}

// The database may come from a stranger: %w quotes the names of views for SQL.
std::vector<std::string> statements_to_drop_views(SQLite::Database& database) {
    return all_values<std::string>(
        database, "SELECT format('DROP VIEW \"%w\"', name) FROM sqlite_schema WHERE type = 'view'");
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

bool views_are_current(const SQLite::Database& database) {
    const auto stored = rows<std::string_view>(
        database, "SELECT sql FROM sqlite_schema WHERE type = 'view' ORDER BY rowid");
    auto next = stored.begin();
    for (const auto& views : {helper_view_texts, view_texts}) {
        for (const EmbeddedText& view : views) {
            if (next == stored.end() || std::get<0>(*next) != stored_text(view)) {
                return false;
            }
            ++next;
        }
    }
    return next == stored.end();
}

std::string temporary_views() {
    std::string statements;
    for (const auto& views : {helper_view_texts, view_texts}) {
        for (const EmbeddedText& view : views) {
            statements += fmt::format("CREATE TEMP VIEW IF NOT EXISTS {};\n",
                                      stored_text(view).substr(create_view.size()));
        }
    }
    return statements;
}

void use_own_views(const SQLite::Database& database) {
    if (!views_are_current(database) &&
        sqlite3_exec(database.getHandle(), temporary_views().c_str(), nullptr, nullptr, nullptr) !=
            SQLITE_OK) {
        throw SQLite::Exception(database.getHandle());
    }
}

int schema_version(SQLite::Database& database) {
    return only_value<int>(database, "PRAGMA user_version");
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
