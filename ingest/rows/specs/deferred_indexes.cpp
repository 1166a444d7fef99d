#include "ingest/rows/specs/deferred_indexes.hpp"

#include <fmt/format.h>

#include <utility>

#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

DeferredIndexes::DeferredIndexes(SQLite::Database& database, const std::vector<std::string>& names)
    : database_(database) {
    const Select<std::string> select(
        database,
        "SELECT sql FROM sqlite_schema WHERE type = 'index' AND name = ?1 "
        "UNION ALL "
        "SELECT format('INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES "
        "(%Q, %Q, %Q)', tbl, idx, stat) FROM sqlite_stat1 WHERE idx = ?1");
    for (const std::string& name : names) {
        for (auto&& [statement] : select(name)) {
            statements_.push_back(std::move(statement));
        }
        database.exec(fmt::format("DROP INDEX {}", name));
    }
}

void DeferredIndexes::restore() {
    for (const std::string& statement : statements_) {
        // Runs only the first statement of the text, as SQLite itself does with the texts of a
        // schema.
        execute(database_, statement);
    }
    if (!std::exchange(statements_, {}).empty()) {
        // The planner reads its statistics when a file is opened, or on this command.
        database_.exec("ANALYZE sqlite_schema");
    }
}

}  // namespace cacheledger
