#include "tests/support/ledgers/query_plan.hpp"

#include <SQLiteCpp/Statement.h>

#include <map>
#include <set>
#include <utility>
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

/// A table, or an index of one, in the file.
struct Tree {
    std::string name, table;
};

std::map<int, Tree> trees_by_root(SQLite::Database& database) {
    std::map<int, Tree> trees;
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

Code compile(SQLite::Database& database, const std::string& sql, const Arguments& arguments) {
    Code code;
    SQLite::Statement query(database, "EXPLAIN " + sql);
    bind(query, arguments);
    while (query.executeStep()) {
        const int address = query.getColumn(0).getInt();
        const std::string operation = query.getColumn(1).getString();
        const int cursor = query.getColumn(2).getInt();
        const int p2 = query.getColumn(3).getInt();
        if (operation == "OpenRead" && query.getColumn(4).getInt() == 0) {  // 0: the file
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
    std::vector<TableScan> scans;
    for (const std::string& step : query_plan(database, sql, arguments)) {
        if (step.ends_with(" USING PRIMARY KEY (series_id=?)")) {
            scans.push_back({"a series", step});
        }
    }
    const auto trees = trees_by_root(database);
    const Code code = compile(database, sql, arguments);
    for (const int cursor : walking_cursors(code)) {
        if (code.roots.contains(cursor)) {
            const Tree& tree = trees.at(code.roots.at(cursor));
            scans.push_back({tree.table, "all of " + tree.name});
        }
    }
    return scans;
}

}  // namespace cacheledger
