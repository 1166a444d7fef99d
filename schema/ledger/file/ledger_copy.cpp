#include "schema/ledger/file/ledger_copy.hpp"

#include <SQLiteCpp/Exception.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "schema/ledger/file/database.hpp"
#include "schema/ledger/file/migration.hpp"
#include "schema/sqlite/statements/connection.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/sqlite/transactions/ledger_state.hpp"

namespace cacheledger {

namespace {

void copy_pages(const SQLite::Database& ledger, const SQLite::Database& copy) {
    const std::unique_ptr<sqlite3_backup, int (*)(sqlite3_backup*)> backup(
        sqlite3_backup_init(copy.getHandle(), "main", ledger.getHandle(), "main"),
        sqlite3_backup_finish);
    const int result = backup ? sqlite3_backup_step(backup.get(), -1) : copy.getErrorCode();
    if (result != SQLITE_DONE) {
        throw SQLite::Exception(sqlite3_errstr(result), result);
    }
}

void prepare_copy(SQLite::Database& copy) {
    prepare_to_read_stranger(copy);
    migrate(copy);  // the views may be of another version of the program, or a stranger's
}

SQLite::Database open_memory() {
    return {":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX};
}

void prepare_memory(SQLite::Database& ledger) {
    prepare_copy(ledger);
    // Rows may be added before those that they refer to. `check` asks about files only.
    ledger.exec("PRAGMA foreign_keys = OFF");
    ledger.exec("PRAGMA ignore_check_constraints = ON");
}

/// Indexes that serve ingest and forget. Without the others, reports and the questions of the pages
/// take many times as long: look_attributes is for drift, spec_hash for coverage of a lock file.
constexpr std::array<std::string_view, 9> indexes_of_writers = {
    "commit_snapshot_forgotten", "commit_snapshot_snapshot", "edge_kind_text", "finding_page",
    "finding_snapshot",          "node_build_hash",          "node_recipe",    "page_presence_page",
    "recipe_attributes",
};

/// From old to new ids, of looks and of specs.
struct NewIds {
    std::unordered_map<std::int64_t, std::int64_t> looks;
    std::unordered_map<std::int64_t, std::int64_t> specs;
};

/// Numbers the ids of the second column by the first one, from 1 on.
std::unordered_map<std::int64_t, std::int64_t> numbered(
    std::vector<std::pair<std::int64_t, std::int64_t>> ids) {
    std::ranges::sort(ids);
    std::unordered_map<std::int64_t, std::int64_t> numbers;
    numbers.reserve(ids.size());
    for (const auto& [group, id] : ids) {
        numbers.emplace(id, static_cast<std::int64_t>(numbers.size()) + 1);
    }
    return numbers;
}

NewIds number_anew(const SQLite::Database& copy) {
    NewIds made;
    std::vector<std::pair<std::int64_t, std::int64_t>> ids;
    for (const auto& [package_id, look_id] :
         rows<std::int64_t, std::int64_t>(copy, "SELECT package_id, look_id FROM ledger.look")) {
        ids.emplace_back(package_id, look_id);
    }
    made.looks = numbered(std::exchange(ids, {}));
    for (const auto& [look_id, spec_id] :
         rows<std::int64_t, std::int64_t>(copy, "SELECT look_id, spec_id FROM ledger.spec")) {
        const auto look = made.looks.find(look_id);
        ids.emplace_back(look == made.looks.end() ? 0 : look->second, spec_id);
    }
    made.specs = numbered(std::move(ids));
    return made;
}

/// The SQL function that gives the new id for an old one, or NULL. A table would take three times
/// as long.
void define(SQLite::Database& copy, const char* name,
            std::unordered_map<std::int64_t, std::int64_t>& numbers) {
    const auto look_up = [](sqlite3_context* context, int, sqlite3_value** values) {
        const auto& ids = *static_cast<const std::unordered_map<std::int64_t, std::int64_t>*>(
            sqlite3_user_data(context));
        const auto found = ids.find(sqlite3_value_int64(values[0]));
        if (found != ids.end()) {
            sqlite3_result_int64(context, found->second);
        }
    };
    copy.createFunction(name, 1, true, &numbers, look_up, nullptr, nullptr, nullptr);
}

/// The growth of one package leaves out pages without specs. Without it all pages would be read.
constexpr auto index_of_readers =
    "CREATE INDEX page_without_specs ON page (page_id) WHERE num_specs = 0";

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

/// What a copy is for: the pages of a site, or tools that read it with another SQLite.
enum class Readers { pages, tools };

/// Views that have a row for each pair of snapshots, states or looks: what counts the rows of each
/// view would not come to an end.
constexpr std::array<std::string_view, 4> views_of_pairs = {"look_groups", "spec_distances",
                                                            "spec_drift", "stack_drift"};

/// The statement without what SQLite has since 3.31 (generated columns) and 3.37 (STRICT).
std::string for_older_sqlite(const std::string& sql) {
    static const std::regex generated(R"( GENERATED ALWAYS AS [^\n]*\) STORED)");
    static const std::regex strict(R"(\)\s*STRICT(,\s*WITHOUT ROWID)?\s*$)");
    std::string plain = std::regex_replace(sql, generated, "");
    std::smatch end;
    if (!std::regex_search(plain, end, strict)) {
        return plain;
    }
    return std::string(end.prefix()) + (end[1].matched ? ") WITHOUT ROWID" : ")");
}

struct Column {
    std::string name;
    std::int64_t place_in_key = 0;  // from 1 on; 0: it is not in the primary key
    bool is_generated = false;
};

std::string in_double_quotes(const std::string& name) {
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
               : std::optional(fmt::format("{}({})", ids->second, in_double_quotes(column)));
}

std::vector<Column> columns_of(const SQLite::Database& copy, const std::string& table) {
    std::vector<Column> columns;
    for (const auto& [name, pk, is_hidden] : rows<std::string, std::int64_t, bool>(
             copy, "SELECT name, pk, hidden FROM pragma_table_xinfo(?, 'ledger') ORDER BY cid",
             table)) {
        columns.push_back({name, pk, is_hidden});
    }
    return columns;
}

/// A row whose id has no new one violates NOT NULL: nothing is left out silently. In tables whose
/// key begins with another column the rows keep their order: within a package, and within a look,
/// the new ids are in the order of the old ones.
std::string rows_with_values(const std::string& table, const std::vector<Column>& columns) {
    std::vector<std::string> names;
    std::vector<std::string> values;
    std::string order;
    for (const Column& column : columns) {
        if (!column.is_generated) {
            names.push_back(in_double_quotes(column.name));
            values.push_back(value_of(table, column.name).value_or(names.back()));
        }
        if (column.place_in_key == 1 && new_ids_of.contains(column.name)) {
            order = fmt::format(" ORDER BY {}", values.back());
        }
    }
    return fmt::format("INSERT INTO main.{0} ({1}) SELECT {2} FROM ledger.{0}{3}",
                       in_double_quotes(table), fmt::join(names, ", "), fmt::join(values, ", "),
                       order);
}

/// As VACUUM does it: SQLite copies such rows, and those of indexes, without looking at them.
std::string rows_as_they_are(const std::string& table) {
    return fmt::format("INSERT INTO main.{0} SELECT * FROM ledger.{0}", in_double_quotes(table));
}

struct SchemaEntry {
    std::string type, name, table, sql;
    bool is_copied = false;  // the table, or that of the index: as it is
};

class Copier {
  public:
    Copier(SQLite::Database& copy, Readers readers) : copy_(copy) {
        for (const auto& [type, name_of_entry, table, sql] :
             rows<std::string, std::string, std::string, std::string>(
                 copy,
                 "SELECT type, name, tbl_name, sql FROM ledger.sqlite_schema "
                 "WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
                 "ORDER BY rowid")) {
            SchemaEntry entry{type, name_of_entry, table, sql};
            const auto is_entry = [&](std::string_view name) { return entry.name == name; };
            if (readers == Readers::tools) {
                entry.sql = for_older_sqlite(entry.sql);
            }
            if (std::ranges::none_of(indexes_of_writers, is_entry) &&
                (readers == Readers::pages || std::ranges::none_of(views_of_pairs, is_entry))) {
                entry.is_copied = readers == Readers::pages && is_copied(entry.table);
                entries_.push_back(std::move(entry));
            }
        }
    }

    /// All rows with the ids of the ledger.
    void run_plainly() {
        create("table", [](const SchemaEntry&) { return true; });
        for (const SchemaEntry& table : entries_) {
            if (table.type == "table") {
                copy_.exec(rows_as_they_are(table.name));
            }
        }
        create("index", [](const SchemaEntry&) { return true; });
        create("view", [](const SchemaEntry&) { return true; });
        copy_.exec("ANALYZE");
    }

    /// The schema and the first pages of all tables are at the begin of the file. Other indexes are
    /// made when their table is filled: to sort them is faster than to add to them.
    void run() {
        create("table", [](const SchemaEntry&) { return true; });
        create("index", [](const SchemaEntry& index) { return index.is_copied; });
        create("view", [](const SchemaEntry&) { return true; });
        copy_.exec("ANALYZE sqlite_schema");
        copy_.exec("INSERT INTO main.sqlite_stat1 SELECT * FROM ledger.sqlite_stat1");
        NewIds ids = number_anew(copy_);
        define(copy_, "new_look", ids.looks);
        define(copy_, "new_spec", ids.specs);
        for (const SchemaEntry& table : entries_) {
            // The states are about the file, not about what is in it.
            if (table.type == "table" && table.name != table_of_states) {
                copy_.exec(table.is_copied
                               ? rows_as_they_are(table.name)
                               : rows_with_values(table.name, columns_of(copy_, table.name)));
            }
        }
        create("index", [](const SchemaEntry& index) { return !index.is_copied; });
        for (const char* const function : {"new_look", "new_spec"}) {
            copy_.createFunction(function, 1, true, nullptr, nullptr);  // removes it
        }
        copy_.exec(index_of_readers);
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
    execute(copy, "ATTACH ? AS ledger", file);
}

}  // namespace

SQLite::Database copy_ledger(const SQLite::Database& ledger, const std::filesystem::path& file) {
    SQLite::Database copy = connect(file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    copy.exec("PRAGMA synchronous = OFF");
    copy_pages(ledger, copy);
    prepare_copy(copy);
    return copy;
}

SQLite::Database open_copy(const std::filesystem::path& file) {
    SQLite::Database copy = connect(file, SQLITE_OPEN_READWRITE);
    prepare_to_read_stranger(copy);
    return copy;
}

SQLite::Database copy_in_memory(const SQLite::Database& ledger) {
    SQLite::Database copy = open_memory();
    copy_pages(ledger, copy);
    prepare_memory(copy);
    return copy;
}

SQLite::Database empty_in_memory() {
    SQLite::Database ledger = open_memory();
    prepare_memory(ledger);
    return ledger;
}

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
    Copier(copy, Readers::pages).run();
    copy.exec("COMMIT; DETACH ledger");
}

void copy_for_tools(SQLite::Database& ledger, SQLite::Database& copy) {
    copy.exec(fmt::format("PRAGMA application_id = {}", plain_application_id));
    attach(copy, sqlite3_db_filename(ledger.getHandle(), "main"));
    copy.exec("BEGIN");
    Copier(copy, Readers::tools).run_plainly();
    copy.exec("COMMIT; DETACH ledger");
}

}  // namespace cacheledger
