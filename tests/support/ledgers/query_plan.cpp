#include "tests/support/ledgers/query_plan.hpp"

#include <SQLiteCpp/Statement.h>
#include <sqlite3.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <variant>

#include "tests/paths.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"
#include "tests/support/program/process.hpp"

namespace cacheledger {

namespace {

void bind(SQLite::Statement& statement, const Arguments& arguments) {
    for (const auto& [name, value] : arguments) {
        const std::string parameter = ":" + name;
        if (const auto* text = std::get_if<std::string>(&value)) {
            statement.bind(parameter, *text);
        } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
            statement.bind(parameter, *integer);
        } else {
            statement.bind(parameter);
        }
    }
}

/// A table, or an index of one, in the file.
struct Tree {
    std::string name, table;
};

std::map<int, Tree> trees_by_root(SQLite::Database& database) {
    std::map<int, Tree> trees = {{1, {"sqlite_schema", "sqlite_schema"}}};
    SQLite::Statement query(
        database, "SELECT rootpage, name, tbl_name FROM sqlite_schema WHERE rootpage > 0");
    while (query.executeStep()) {
        trees[query.getColumn(0).getInt()] = {query.getColumn(1), query.getColumn(2)};
    }
    return trees;
}

/// What EXPLAIN lists: the program that SQLite made of a query. EXPLAIN QUERY PLAN does not do: it
/// calls tables by their alias, which may be a table here and a common table expression there, and
/// does not say of an automatic index that its whole table is read for it.
struct Code {
    struct Start {
        int address, cursor;
    };
    std::map<int, int> roots;   ///< by cursor: the root page in the file that it is opened on
    std::vector<Start> starts;  ///< where a cursor goes to its begin or end
    std::set<std::pair<int, int>> loops;  ///< a cursor that goes on, and the address where then
    std::vector<int> counted;             ///< cursors, all of whose rows are counted
};

/// A row of EXPLAIN, up to p3.
struct CodeRow {
    int address;
    std::string operation;
    int p1, p2, p3;
};

/// What SQLite says of a query.
struct Explained {
    std::vector<std::string> steps;
    std::vector<CodeRow> rows;
};

Code code_of(const std::vector<CodeRow>& rows) {
    Code code;
    for (const auto& [address, operation, cursor, p2, p3] : rows) {
        if (operation == "OpenRead" && p3 == 0) {  // 0: the file
            code.roots[cursor] = p2;
        } else if (operation == "Rewind" || operation == "Last") {
            code.starts.push_back({address, cursor});
        } else if (operation == "Next" || operation == "Prev") {
            code.loops.emplace(cursor, p2);
        } else if (operation == "Count") {
            code.counted.push_back(cursor);
        }
    }
    return code;
}

std::vector<CodeRow> compile(SQLite::Database& database, const std::string& sql,
                             const Arguments& arguments) {
    std::vector<CodeRow> rows;
    SQLite::Statement query(database, "EXPLAIN " + sql);
    bind(query, arguments);
    while (query.executeStep()) {
        rows.push_back({query.getColumn(0), query.getColumn(1), query.getColumn(2),
                        query.getColumn(3), query.getColumn(4)});
    }
    return rows;
}

/// The cursors that go from row to row through all that they are open on. Others begin there, too,
/// but seek from then on, or take one row.
std::vector<int> walking_cursors(const Code& code) {
    std::vector<int> cursors = code.counted;
    for (const auto& [address, cursor] : code.starts) {
        if (code.loops.contains({cursor, address + 1})) {
            cursors.push_back(cursor);
        }
    }
    return cursors;
}

std::vector<TableScan> scans_of(const Explained& explained, const std::map<int, Tree>& trees) {
    std::vector<TableScan> scans;
    for (const std::string& step : explained.steps) {
        if (step.ends_with(" USING PRIMARY KEY (series_id=?)")) {
            scans.push_back({"a series", step});
        }
    }
    const Code code = code_of(explained.rows);
    for (const int cursor : walking_cursors(code)) {
        if (code.roots.contains(cursor)) {
            const Tree& tree = trees.at(code.roots.at(cursor));
            scans.push_back({tree.table, "all of " + tree.name});
        }
    }
    return scans;
}

nlohmann::json json_of(const Arguments& arguments) {
    nlohmann::json given = nlohmann::json::object();
    for (const auto& [name, value] : arguments) {
        if (const auto* text = std::get_if<std::string>(&value)) {
            given[":" + name] = *text;
        } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
            given[":" + name] = *integer;
        } else {
            given[":" + name] = nullptr;
        }
    }
    return given;
}

/// The text of the file that a connection has open, without a log.
void write_copy(SQLite::Database& database, const std::filesystem::path& path) {
    sqlite3_int64 size = 0;
    unsigned char* const bytes = sqlite3_serialize(database.getHandle(), "main", &size, 0);
    constexpr std::size_t write_version = 18;  // a place in the header of a file, as the next
    constexpr std::size_t read_version = 19;
    bytes[write_version] = 1;  // it has no log
    bytes[read_version] = 1;
    std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(bytes), size);
    sqlite3_free(bytes);
}

}  // namespace

std::vector<std::string> query_plan(SQLite::Database& database, const std::string& sql,
                                    const Arguments& arguments) {
    std::vector<std::string> steps;
    SQLite::Statement query(database, "EXPLAIN QUERY PLAN " + sql);
    bind(query, arguments);
    while (query.executeStep()) {
        steps.push_back(query.getColumn(3).getString());
    }
    return steps;
}

std::vector<TableScan> table_scans(SQLite::Database& database, const std::string& sql,
                                   const Arguments& arguments) {
    return scans_of({query_plan(database, sql, arguments), compile(database, sql, arguments)},
                    trees_by_root(database));
}

std::vector<std::string> temporary_schema(SQLite::Database& database) {
    std::vector<std::string> schema;
    SQLite::Statement query(database,
                            "SELECT sql FROM sqlite_temp_schema WHERE sql IS NOT NULL ORDER BY "
                            "rowid");
    while (query.executeStep()) {
        std::string sql = query.getColumn(0);
        if (sql.starts_with("CREATE TABLE") || sql.starts_with("CREATE VIEW")) {
            sql.insert(std::string("CREATE ").size(), "TEMP ");
        }
        schema.push_back(sql);
    }
    return schema;
}

bool has_newest_sqlite() {
    const char* const browser = std::getenv("CACHELEDGER_BROWSER");
    return std::filesystem::exists(std::filesystem::path(paths::site_modules) / "@sqlite.org") ||
           (browser != nullptr && std::string_view(browser) == "required");
}

std::vector<std::vector<TableScan>> newest_table_scans(SQLite::Database& database,
                                                       const std::vector<PlanQuestion>& questions) {
    const TempFolder folder;
    write_copy(database, folder.path() / "ledger.db");
    nlohmann::json asked = nlohmann::json::array();
    for (const PlanQuestion& question : questions) {
        asked.push_back({{"sql", question.sql},
                         {"before", question.before},
                         {"given", json_of(question.arguments)}});
    }
    const auto run = program::run_command(
        {paths::node, std::string(paths::source) + "/tests/support/ledgers/newest_sqlite.mjs",
         paths::site_modules, folder.path() / "ledger.db"},
        {.input = asked.dump(), .environment = {}});
    if (run.status != 0) {
        throw std::runtime_error("newest_sqlite.mjs: " + run.err);
    }
    const auto trees = trees_by_root(database);
    std::vector<std::vector<TableScan>> scans;
    for (const auto& answer : nlohmann::json::parse(run.out)) {
        Explained explained;
        for (const auto& row : answer.at("plan")) {
            explained.steps.push_back(row.at(3));
        }
        for (const auto& row : answer.at("code")) {
            explained.rows.push_back({row.at(0), row.at(1), row.at(2), row.at(3), row.at(4)});
        }
        scans.push_back(scans_of(explained, trees));
        if (const std::string error = answer.at("error"); !error.empty()) {
            scans.back().push_back({"error", error});
        }
    }
    return scans;
}

}  // namespace cacheledger
