#include "tests/query_plan.hpp"

#include <SQLiteCpp/Statement.h>

#include <map>
#include <optional>
#include <variant>

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

/// The table that each root page of the file belongs to.
std::map<int, std::string> tables_by_root(SQLite::Database& database) {
    std::map<int, std::string> tables;
    SQLite::Statement query(database,
                            "SELECT rootpage, tbl_name FROM sqlite_schema WHERE rootpage > 0");
    while (query.executeStep()) {
        tables[query.getColumn(0).getInt()] = query.getColumn(1).getString();
    }
    return tables;
}

/// What EXPLAIN lists: the program that SQLite made of a query.
struct Code {
    std::map<int, int> roots;               ///< by cursor: the root page that it is opened on
    std::map<int, int> rewinds;             ///< by address: the cursor that starts at its begin
    std::map<int, std::string> plan_steps;  ///< by address: where the code of a step begins
};

Code compile(SQLite::Database& database, const std::string& sql, const Arguments& arguments) {
    Code code;
    SQLite::Statement query(database, "EXPLAIN " + sql);
    bind(query, arguments);
    while (query.executeStep()) {
        const int address = query.getColumn(0).getInt();
        const std::string operation = query.getColumn(1).getString();
        const int p1 = query.getColumn(2).getInt();
        if (operation == "OpenRead" && query.getColumn(4).getInt() == 0) {  // 0: the file
            code.roots[p1] = query.getColumn(3).getInt();
        } else if (operation == "Rewind" || operation == "Last") {
            code.rewinds[address] = p1;
        } else if (operation == "Explain") {
            code.plan_steps[address] = query.getColumn(5).getString();
        }
    }
    return code;
}

/// The cursor that the code of a step goes through from its begin, if it does.
std::optional<int> scanned_cursor(const Code& code, int address) {
    const auto next = code.plan_steps.upper_bound(address);
    const auto rewind = code.rewinds.lower_bound(address);
    if (rewind == code.rewinds.end() ||
        (next != code.plan_steps.end() && rewind->first > next->first)) {
        return std::nullopt;
    }
    return rewind->second;
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

// EXPLAIN QUERY PLAN calls tables by their alias, and an alias may be a table here and a common
// table expression there. The id of a step is the address of its code, which says what is scanned.
std::vector<TableScan> table_scans(SQLite::Database& database, const std::string& sql,
                                   const Arguments& arguments) {
    const auto tables = tables_by_root(database);
    const Code code = compile(database, sql, arguments);
    std::vector<TableScan> scans;
    SQLite::Statement query(database, "EXPLAIN QUERY PLAN " + sql);
    bind(query, arguments);
    while (query.executeStep()) {
        const std::string step = query.getColumn(3).getString();
        if (step.ends_with(" USING PRIMARY KEY (series_id=?)")) {
            scans.push_back({"a series", step});
        }
        const auto cursor = scanned_cursor(code, query.getColumn(0).getInt());
        if (!step.starts_with("SCAN ") || !cursor || !code.roots.contains(*cursor)) {
            continue;
        }
        scans.push_back({tables.at(code.roots.at(*cursor)), step});
    }
    return scans;
}

}  // namespace cacheledger
