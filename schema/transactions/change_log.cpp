#include "schema/transactions/change_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "schema/sqlite/statement.hpp"

namespace cacheledger {

namespace {

// The tables whose rows have ids.
constexpr std::array<std::string_view, 18> tables_with_ids = {"package",
                                                              "version",
                                                              "arch",
                                                              "compiler",
                                                              "variant",
                                                              "variant_set",
                                                              "stack",
                                                              "stack_set",
                                                              "look",
                                                              "spec",
                                                              "series",
                                                              "snapshot",
                                                              "page",
                                                              "finding",
                                                              "node",
                                                              "recipe",
                                                              "target_definition",
                                                              "edge_kind"};

// SQLite chooses the ids of the other tables: one more than the greatest, which may be that of a
// row that was deleted.
constexpr std::array<std::string_view, 4> tables_with_chosen_ids = {"look", "spec", "page", "node"};

// The tables whose rows belong to a snapshot, and may change later than the snapshot.
constexpr std::array<std::string_view, 4> tables_of_snapshots = {
    "observation_exception", "snapshot_file", "unobserved_stack", "commit_snapshot"};

std::string id_of(std::string_view table) {
    return table == "node" ? "spec_id" : fmt::format("{}_id", table);
}

// `rows`: where the id is from, unless it is one of the row of a trigger.
std::string note(std::string_view table, std::string_view id,
                 std::string_view rows = "WHERE true") {
    return fmt::format(
        "INSERT INTO changed_row (table_name, row_id, written_id) "
        "SELECT '{}', {}, (SELECT ifnull(max(written_id), 0) FROM written) {} "
        "ON CONFLICT (table_name, row_id) DO UPDATE SET written_id = excluded.written_id "
        "WHERE changed_row.written_id <> excluded.written_id",
        table, id, rows);
}

// The condition of a trigger: an UPDATE changed a value.
std::string is_changed(SQLite::Database& database, std::string_view table) {
    SQLite::Statement columns(database,
                              "SELECT group_concat(format('old.\"%w\" IS NOT new.\"%w\"', name, "
                              "name), ' OR ') FROM pragma_table_info(?)");
    rebind(columns, std::string(table));
    columns.executeStep();
    return columns.getColumn(0).getString();
}

// `event`: "AFTER DELETE ON spec".
void make_trigger(SQLite::Database& database, std::string_view event, std::string_view condition,
                  std::string_view statement) {
    database.exec(fmt::format("CREATE TEMP TRIGGER \"note {0}\" {0} WHEN {1} BEGIN {2}; END", event,
                              condition, statement));
}

void note_rows_with_ids(SQLite::Database& database, std::string_view table) {
    const std::string id = id_of(table);
    make_trigger(database, fmt::format("AFTER UPDATE ON {}", table), is_changed(database, table),
                 note(table, "old." + id));
    make_trigger(database, fmt::format("AFTER DELETE ON {}", table), "true",
                 note(table, "old." + id));
    if (std::ranges::count(tables_with_chosen_ids, table) == 0) {
        make_trigger(database, fmt::format("AFTER INSERT ON {}", table),
                     fmt::format("new.{} <= (SELECT max(row_id) FROM changed_row "
                                 "WHERE table_name = '{}')",
                                 id, table),
                     note(table, "new." + id));
    }
}

}  // namespace

void note_changed_rows(SQLite::Database& database) {
    for (const std::string_view table : tables_with_ids) {
        note_rows_with_ids(database, table);
    }
    for (const std::string_view table : tables_of_snapshots) {
        make_trigger(database, fmt::format("AFTER INSERT ON {}", table), "true",
                     note("snapshot", "new.snapshot_id"));
        make_trigger(database, fmt::format("AFTER DELETE ON {}", table), "true",
                     note("snapshot", "old.snapshot_id"));
    }
    // INSERT OR REPLACE does not run the triggers of a row that it replaces.
    make_trigger(database, "BEFORE INSERT ON commit_snapshot", "true",
                 note("snapshot", "snapshot_id",
                      "FROM commit_snapshot WHERE commit_id = new.commit_id AND path = new.path "
                      "AND tag = new.tag"));
    make_trigger(database, "AFTER UPDATE OF look_id ON presence", "old.look_id <> new.look_id",
                 note("presence", "old.spec_id"));
}

void note_snapshot(SQLite::Database& database, Noted what, std::int64_t snapshot_id) {
    constexpr std::array<const char*, 3> words = {"written", "replaced", "forgotten"};
    SQLite::Statement insert(database,
                             "INSERT INTO written (what, series_id, taken_at, snapshot) "
                             "SELECT ?, series_id, taken_at, name FROM snapshot WHERE "
                             "snapshot_id = ?");
    run(insert, std::string(words.at(static_cast<std::size_t>(what))), snapshot_id);
}

void note_filled(SQLite::Database& database) {
    database.exec("INSERT INTO written (what) VALUES ('filled')");
}

std::int64_t newest_written(SQLite::Database& database) {
    return database.execAndGet("SELECT ifnull(max(written_id), 0) FROM written").getInt64();
}

NodeNotes::NodeNotes(SQLite::Database& database) : insert_(database, note("node", "?")) {}

void NodeNotes::add(std::int64_t spec_id) {
    run(insert_, spec_id);
}

std::string next_id_query(const std::string& table) {
    return fmt::format(
        "SELECT 1 + max((SELECT ifnull(max({0}), 0) FROM {1}), (SELECT ifnull(max(row_id), 0) "
        "FROM changed_row WHERE table_name = '{1}'))",
        id_of(table), table);
}

}  // namespace cacheledger
