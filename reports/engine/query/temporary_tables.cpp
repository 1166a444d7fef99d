#include "reports/engine/query/temporary_tables.hpp"

#include <SQLiteCpp/Statement.h>
#include <sqlite3.h>

#include <string_view>
#include <utility>

#include "reports/engine/query/run_steps.hpp"
#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

TemporaryTables::TemporaryTables(const SQLite::Database& database, std::string text,
                                 const Arguments& arguments)
    : database_(database), text_(std::move(text)) {
    constexpr std::string_view mark = "CREATE TEMP TABLE ";
    for (auto found = text_.find(mark); found != std::string::npos;
         found = text_.find(mark, found)) {
        found += mark.size();
        names_.push_back(text_.substr(found, text_.find_first_of(" (\n", found) - found));
    }
    run_steps(database, text_, arguments);
}

TemporaryTables::~TemporaryTables() {
    for (const std::string& name : names_) {
        sqlite3_exec(database_.getHandle(), ("DROP TABLE IF EXISTS temp." + name).c_str(), nullptr,
                     nullptr, nullptr);
    }
}

std::string TemporaryTables::sql() const {
    std::string text = text_;
    for (const std::string& name : names_) {
        SQLite::Statement columns(database_,
                                  "SELECT group_concat('quote(' || name || ')', ' || '','' || ') "
                                  "FROM pragma_table_info(?, 'temp')");
        rebind(columns, name);
        columns.executeStep();
        SQLite::Statement rows(database_,
                               "SELECT " + columns.getColumn(0).getString() + " FROM temp." + name);
        while (rows.executeStep()) {
            text +=
                "INSERT INTO temp." + name + " VALUES (" + rows.getColumn(0).getString() + ");\n";
        }
    }
    return text + "\n";
}

}  // namespace cacheledger
