#include "reports/engine/query/run_query.hpp"

#include <SQLiteCpp/Exception.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <memory>
#include <string_view>
#include <utility>

#include "schema/errors/error.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

void check(const SQLite::Database& database, int code) {
    if (code != SQLITE_OK && code != SQLITE_DONE) {
        if (is_interruption(database.getHandle(), code)) {
            throw Interrupted("interrupted");
        }
        throw SQLite::Exception(database.getHandle(), code);
    }
}

void bind(const SQLite::Database& database, sqlite3_stmt* statement, const Arguments& arguments) {
    for (int index = 1; index <= sqlite3_bind_parameter_count(statement); ++index) {
        const char* const name =
            sqlite3_bind_parameter_name(statement, index) + 1;  // after the ':'
        check(database, row_types::bind(statement, index, arguments.at(name), SQLITE_STATIC));
    }
}

Value value_of(sqlite3_stmt* statement, int column) {
    switch (sqlite3_column_type(statement, column)) {
        case SQLITE_NULL:
            return {};
        case SQLITE_INTEGER:
            return std::int64_t{sqlite3_column_int64(statement, column)};
        default:
            const auto* const text = sqlite3_column_text(statement, column);
            return std::string(reinterpret_cast<const char*>(text),
                               static_cast<std::size_t>(sqlite3_column_bytes(statement, column)));
    }
}

// A plan that depended on the values would be made again for each run.
sqlite3_stmt* prepared(const SQLite::Database& database, const std::string& sql) {
    sqlite3* const handle = database.getHandle();
    constexpr int only_ask = -1;
    int was_stable = 0;
    sqlite3_stmt* raw = nullptr;
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_QPSG, only_ask, &was_stable);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_QPSG, 1, nullptr);
    const int result = sqlite3_prepare_v2(handle, sql.c_str(), -1, &raw, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_QPSG, was_stable, nullptr);
    check(database, result);
    return raw;
}

}  // namespace

RepeatedStep::RepeatedStep(const SQLite::Database& database, const std::string& sql)
    : database_(database), statement_(prepared(database, sql), sqlite3_finalize) {}

std::vector<std::vector<Value>> RepeatedStep::run(const Arguments& arguments) {
    sqlite3_stmt* const statement = statement_.get();
    bind(database_, statement, arguments);
    std::vector<std::vector<Value>> rows;
    int result = SQLITE_ROW;
    while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
        auto& row = rows.emplace_back();
        for (int column = 0; column < sqlite3_column_count(statement); ++column) {
            row.push_back(value_of(statement, column));
        }
    }
    sqlite3_reset(statement);
    check(database_, result);
    return rows;
}

std::string run_steps(const SQLite::Database& database, const std::string& sql,
                      const Arguments& arguments) {
    std::string text;
    for (const char* rest = sql.c_str(); *rest != '\0';) {
        sqlite3_stmt* raw = nullptr;
        check(database, sqlite3_prepare_v2(database.getHandle(), rest, -1, &raw, &rest));
        const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement(raw,
                                                                              sqlite3_finalize);
        if (raw == nullptr) {  // the blanks at the end
            break;
        }
        bind(database, raw, arguments);
        text += text_with_values(raw);
        check(database, sqlite3_step(raw));
    }
    return text + "\n";
}

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
        const auto columns =
            only_value<std::string>(database_,
                                    "SELECT group_concat('quote(' || name || ')', ' || '','' || ') "
                                    "FROM pragma_table_info(?, 'temp')",
                                    name);
        for (const auto& [row] :
             rows<std::string>(database_, fmt::format("SELECT {} FROM temp.{}", columns, name))) {
            text += fmt::format("INSERT INTO temp.{} VALUES ({});\n", name, row);
        }
    }
    return text + "\n";
}

}  // namespace cacheledger
