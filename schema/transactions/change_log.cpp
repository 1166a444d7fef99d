#include "schema/transactions/change_log.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>

#include <algorithm>

#include "schema/sqlite/statement.hpp"

namespace cacheledger {

namespace {

constexpr std::array<std::string_view, 19> tables_with_ids = {
    "spec",        "look",      "node",           "package",
    "version",     "arch",      "compiler",       "variant",
    "variant_set", "stack",     "stack_set",      "series",
    "snapshot",    "page",      "finding",        "target_definition",
    "recipe",      "edge_kind", "spec_build_hash"};

constexpr const char* insert_range =
    "INSERT INTO changed_range (table_name, first_id, last_id, written_id) VALUES (?1, ?2, ?3, "
    "(SELECT ifnull(max(written_id), 0) FROM written)) "
    "ON CONFLICT DO UPDATE SET written_id = excluded.written_id";

std::string id_of(std::string_view table) {
    return table == "node" ? "spec_id" : fmt::format("{}_id", table);
}

// Also of rows that were deleted.
std::string greatest_id_of(std::string_view table) {
    return fmt::format(
        "max((SELECT ifnull(max({0}), 0) FROM {1}), (SELECT ifnull(max(last_id), 0) "
        "FROM changed_range WHERE table_name = '{1}'))",
        id_of(table), table);
}

// `each(first, last)` for each range of ids that follow each other.
template <typename Each>
void for_each_range(std::vector<std::int64_t>& ids, Each each) {
    std::sort(ids.begin(), ids.end());
    for (std::size_t first = 0, last = 0; first < ids.size(); first = last + 1) {
        last = first;
        while (last + 1 < ids.size() && ids[last + 1] <= ids[last] + 1) {
            ++last;
        }
        each(ids[first], ids[last]);
    }
}

}  // namespace

void note_snapshot(SQLite::Database& database, Noted what, std::int64_t snapshot_id) {
    constexpr std::array<const char*, 3> words = {"written", "replaced", "forgotten"};
    SQLite::Statement insert(database,
                             "INSERT INTO written (what, series_id, taken_at, snapshot) "
                             "SELECT ?, series_id, taken_at, name FROM snapshot WHERE "
                             "snapshot_id = ?");
    run(insert, std::string(words.at(static_cast<std::size_t>(what))), snapshot_id);
}

std::int64_t newest_written(SQLite::Database& database) {
    return database.execAndGet("SELECT ifnull(max(written_id), 0) FROM written").getInt64();
}

void list_changed_rows(SQLite::Database& database, std::int64_t since) {
    database.exec(
        "DROP TABLE IF EXISTS temp.changed_row;"
        "CREATE TEMP TABLE changed_row (table_name TEXT, row_id INTEGER, written_id INTEGER, "
        "PRIMARY KEY (table_name, row_id)) WITHOUT ROWID");
    SQLite::Statement insert(database,
                             "INSERT OR IGNORE INTO temp.changed_row "
                             "WITH RECURSIVE row (table_name, row_id, last_id, written_id) AS ("
                             "SELECT table_name, first_id, last_id, written_id FROM changed_range "
                             "WHERE written_id >= ? UNION ALL "
                             "SELECT table_name, row_id + 1, last_id, written_id FROM row "
                             "WHERE row_id < last_id) "
                             "SELECT table_name, row_id, written_id FROM row");
    run(insert, since);
}

RowNotes::RowNotes(SQLite::Database& database) : insert_(database, insert_range) {}

void RowNotes::add(std::string_view table, std::int64_t id) {
    run(insert_, std::string(table), id, id);
}

ChangeLog::ChangeLog(SQLite::Database& database)
    : database_(database),
      written_before_(newest_written(database)),
      changes_before_(sqlite3_total_changes64(database.getHandle())) {
    std::vector<std::string> columns;
    columns.reserve(tables_with_ids.size());
    for (const std::string_view table : tables_with_ids) {
        columns.push_back(greatest_id_of(table));
    }
    SQLite::Statement greatest(database, fmt::format("SELECT {}", fmt::join(columns, ", ")));
    greatest.executeStep();
    for (std::size_t i = 0; i < tables_.size(); ++i) {
        tables_.at(i).greatest_id = greatest.getColumn(static_cast<int>(i)).getInt64();
    }
    sqlite3_update_hook(
        database.getHandle(),
        [](void* log, int what, const char* schema, const char* name, sqlite3_int64 id) {
            take(log, what, schema, name, id);
        },
        this);
}

ChangeLog::~ChangeLog() {
    sqlite3_update_hook(database_.getHandle(), nullptr, nullptr);
}

void ChangeLog::take(void* log, int what, const char* schema, const char* name, std::int64_t id) {
    if (std::string_view(schema) == "main") {
        static_cast<ChangeLog*>(log)->take(what, name, id);
    }
}

void ChangeLog::take(int what, std::string_view name, std::int64_t id) {
    if (tables_with_ids.at(last_) != name) {
        const auto found = std::ranges::find(tables_with_ids, name);
        if (found == tables_with_ids.end()) {
            return;
        }
        last_ = static_cast<std::size_t>(found - tables_with_ids.begin());
    }
    Table& table = tables_.at(last_);
    if (what != SQLITE_INSERT || id <= table.greatest_id) {
        table.changed.push_back(id);
    }
}

void ChangeLog::write() {
    if (sqlite3_total_changes64(database_.getHandle()) == changes_before_) {
        return;
    }
    if (newest_written(database_) == written_before_) {
        database_.exec("INSERT INTO written (what) VALUES ('filled')");
    }
    SQLite::Statement insert(database_, insert_range);
    for (std::size_t i = 0; i < tables_.size(); ++i) {
        for_each_range(tables_.at(i).changed, [&](std::int64_t first, std::int64_t last) {
            run(insert, std::string(tables_with_ids.at(i)), first, last);
        });
    }
}

}  // namespace cacheledger
