#include "schema/ledger/file/reading_copy.hpp"

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/sqlite/statements/connection.hpp"
#include "schema/sqlite/transactions/ledger_state.hpp"

namespace cacheledger {

namespace {

/// Indexes that serve ingest and forget. Without the others, reports and the questions of the pages
/// take many times as long: look_attributes is for drift, spec_hash for coverage of a lock file.
constexpr std::array<std::string_view, 9> indexes_of_writers = {
    "commit_snapshot_forgotten", "commit_snapshot_snapshot", "edge_kind_text", "finding_page",
    "finding_snapshot",          "node_build_hash",          "node_recipe",    "page_presence_page",
    "recipe_attributes",
};

constexpr auto new_ids = R"(
CREATE TEMP TABLE new_look (old INTEGER PRIMARY KEY, new INTEGER NOT NULL);
INSERT INTO new_look
SELECT look_id, row_number() OVER (ORDER BY package_id, look_id) FROM ledger.look;
CREATE TEMP TABLE new_spec (old INTEGER PRIMARY KEY, new INTEGER NOT NULL);
INSERT INTO new_spec
SELECT x.spec_id, row_number() OVER (ORDER BY n.new, x.spec_id)
FROM ledger.spec x JOIN new_look n ON n.old = x.look_id;
)";

/// The ids of columns of these names, in every table.
const std::map<std::string, std::string> new_ids_of = {
    {"look_id", "new_look"}, {"spec_id", "new_spec"}, {"dependency_id", "new_spec"}};

/// What a column has in the copy, where it is another value. wish_judgement tells how far the old
/// ids were judged, and checked_at is about the runs.
const std::map<std::string, std::string> other_values = {
    {"wish_judgement.wish_id", "0"}, {"wish_judgement.spec_id", "0"},
    {"wish_judgement.nodes", "0"},   {"wish_judgement.edge_kinds", "0"},
    {"series.checked_at", "NULL"},
};

struct Column {
    std::string name;
    std::int64_t place_in_key = 0;  // from 1 on; 0: it is not in the primary key
    bool is_generated = false;
};

std::string quoted(const std::string& name) {
    std::string text = "\"";
    for (const char letter : name) {
        text.append(letter == '"' ? 2 : 1, letter);
    }
    return text + "\"";
}

/// What the copy has in the column; nullopt: what the ledger has.
std::optional<std::string> value_of(const std::string& table, const std::string& column) {
    if (const auto other = other_values.find(table + "." + column); other != other_values.end()) {
        return other->second;
    }
    const auto ids = new_ids_of.find(column);
    return ids == new_ids_of.end()
               ? std::nullopt
               : std::optional(fmt::format("(SELECT new FROM {} WHERE old = {})", ids->second, column));
}

std::vector<Column> columns_of(const SQLite::Database& copy, const std::string& table) {
    SQLite::Statement rows(
        copy, "SELECT name, pk, hidden FROM pragma_table_xinfo(?, 'ledger') ORDER BY cid");
    rows.bind(1, table);
    std::vector<Column> columns;
    while (rows.executeStep()) {
        columns.push_back({rows.getColumn(0).getString(), rows.getColumn(1).getInt64(),
                           rows.getColumn(2).getInt() != 0});
    }
    return columns;
}

/// A row whose id has no new one violates NOT NULL: nothing is left out silently.
std::string rows_with_values(const std::string& table, const std::vector<Column>& columns) {
    std::vector<std::string> names;
    std::vector<std::string> values;
    std::map<std::int64_t, std::size_t> key;
    for (const Column& column : columns) {
        if (!column.is_generated) {
            names.push_back(quoted(column.name));
            values.push_back(value_of(table, column.name).value_or(names.back()));
        }
        if (column.place_in_key > 0) {
            key[column.place_in_key] = names.size();
        }
    }
    std::vector<std::size_t> order;
    std::ranges::transform(key, std::back_inserter(order),
                           [](const auto& part) { return part.second; });
    return fmt::format("INSERT INTO main.{0} ({1}) SELECT {2} FROM ledger.{0} ORDER BY {3}",
                       quoted(table), fmt::join(names, ", "), fmt::join(values, ", "),
                       fmt::join(order, ", "));
}

/// As VACUUM does it: SQLite copies such rows, and those of indexes, without looking at them.
std::string rows_as_they_are(const std::string& table) {
    return fmt::format("INSERT INTO main.{0} SELECT * FROM ledger.{0}", quoted(table));
}

struct SchemaEntry {
    std::string type, name, table, sql;
    bool is_copied = false;  // the table, or that of the index: as it is
};

class Copier {
  public:
    explicit Copier(SQLite::Database& copy) : copy_(copy) {
        SQLite::Statement rows(copy,
                               "SELECT type, name, tbl_name, sql FROM ledger.sqlite_schema "
                               "WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
                               "ORDER BY rowid");
        while (rows.executeStep()) {
            SchemaEntry entry{rows.getColumn(0).getString(), rows.getColumn(1).getString(),
                              rows.getColumn(2).getString(), rows.getColumn(3).getString()};
            if (std::ranges::find(indexes_of_writers, entry.name) == indexes_of_writers.end()) {
                entry.is_copied = is_copied(entry.table);
                entries_.push_back(std::move(entry));
            }
        }
    }

    /// The first pages of all tables are the first of the file. Other indexes are made when their
    /// table is filled: to sort them is faster than to add to them.
    void run() {
        create("table", [](const SchemaEntry&) { return true; });
        create("index", [](const SchemaEntry& index) { return index.is_copied; });
        copy_.exec("ANALYZE sqlite_schema");
        copy_.exec("INSERT INTO main.sqlite_stat1 SELECT * FROM ledger.sqlite_stat1");
        copy_.exec(new_ids);
        for (const SchemaEntry& table : entries_) {
            // The states are about the file, not about what is in it.
            if (table.type == "table" && table.name != table_of_states) {
                copy_.exec(table.is_copied
                               ? rows_as_they_are(table.name)
                               : rows_with_values(table.name, columns_of(copy_, table.name)));
            }
        }
        create("index", [](const SchemaEntry& index) { return !index.is_copied; });
        create("view", [](const SchemaEntry&) { return true; });
        create("trigger", [](const SchemaEntry&) { return true; });
    }

  private:
    bool is_copied(const std::string& table) const {
        return std::ranges::none_of(columns_of(copy_, table), [&](const Column& column) {
            return column.is_generated || value_of(table, column.name);
        });
    }

    template <typename Choose>
    void create(std::string_view type, const Choose& choose) {
        for (const SchemaEntry& entry : entries_) {
            if (entry.type == type && choose(entry)) {
                SQLite::Statement(copy_, entry.sql).exec();  // the first statement of the text
            }
        }
    }

    SQLite::Database& copy_;
    std::vector<SchemaEntry> entries_;
};

void attach(SQLite::Database& copy, const std::string& file) {
    // Connections to a ledger attach nothing.
    sqlite3_limit(copy.getHandle(), SQLITE_LIMIT_ATTACHED, 1);
    SQLite::Statement statement(copy, "ATTACH ? AS ledger");
    statement.bind(1, file);
    statement.exec();
}

}  // namespace

SQLite::Database begin_copy_for_readers(const std::filesystem::path& file) {
    SQLite::Database copy = connect(file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    copy.exec(
        "PRAGMA page_size = 4096; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; "
        "PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY; PRAGMA foreign_keys = OFF; "
        "PRAGMA ignore_check_constraints = ON");
    return copy;
}

void copy_for_readers(SQLite::Database& ledger, SQLite::Database& copy) {
    for (const char* const number : {"application_id", "user_version"}) {
        copy.exec(fmt::format("PRAGMA {0} = {1}", number,
                              ledger.execAndGet(fmt::format("PRAGMA {}", number)).getInt64()));
    }
    attach(copy, sqlite3_db_filename(ledger.getHandle(), "main"));
    copy.exec("BEGIN");
    Copier(copy).run();
    copy.exec("COMMIT; DETACH ledger");
}

}  // namespace cacheledger
