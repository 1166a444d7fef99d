#include "reports/engine/query/run_query.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <set>
#include <span>
#include <string_view>

#include "reports/engine/query/binding.hpp"
#include "reports/engine/query/query.hpp"

namespace cacheledger {

namespace {

void bind_all(const Query& query, const Arguments& arguments) {
    std::set<std::string_view> used;
    const int count = sqlite3_bind_parameter_count(query.statement());
    for (int index = 1; index <= count; ++index) {
        const char* parameter = sqlite3_bind_parameter_name(query.statement(), index);
        if (parameter == nullptr || *parameter == '?') {
            query.refuse("parameters need names: ':name' instead of '?'");
        }
        const auto argument = arguments.find(parameter + 1);  // after : @ or $
        if (argument == arguments.end()) {
            query.refuse(fmt::format("no value is given for the parameter {}", parameter));
        }
        used.insert(argument->first);
        if (bind_value(query.statement(), index, argument->second) != SQLITE_OK) {
            query.fail();
        }
    }
    for (const auto& argument : arguments) {
        if (!used.contains(argument.first)) {
            query.refuse(fmt::format("the SQL has no parameter :{}", argument.first));
        }
    }
}

std::string hex(const unsigned char* bytes, std::size_t size) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    text.reserve(2 * size);
    for (const unsigned char byte : std::span(bytes, size)) {
        text += digits[byte >> 4U];
        text += digits[byte & 0xfU];
    }
    return text;
}

Value column_value(const Query& query, int column) {
    sqlite3_stmt* const statement = query.statement();
    // SQLite computes some texts and BLOBs only in this call, and may run out of memory. The data
    // of an empty BLOB is null, too.
    const auto size = [&](const void* data) {
        if (data == nullptr && sqlite3_errcode(sqlite3_db_handle(statement)) == SQLITE_NOMEM) {
            query.fail();
        }
        return static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
    };
    switch (sqlite3_column_type(statement, column)) {
        case SQLITE_INTEGER:
            return std::int64_t{sqlite3_column_int64(statement, column)};
        case SQLITE_FLOAT:
            return sqlite3_column_double(statement, column);
        case SQLITE_TEXT: {
            const auto* text = sqlite3_column_text(statement, column);
            const std::size_t bytes = size(text);
            return std::string(reinterpret_cast<const char*>(text), bytes);
        }
        case SQLITE_BLOB: {
            const auto* bytes =
                static_cast<const unsigned char*>(sqlite3_column_blob(statement, column));
            return hex(bytes, size(bytes));
        }
        default:
            return {};
    }
}

std::size_t size_in_memory(const std::vector<Value>& row) {
    std::size_t bytes = sizeof(std::vector<Value>) + row.size() * sizeof(Value);
    for (const Value& value : row) {
        const auto* const text = std::get_if<std::string>(&value);
        bytes += text == nullptr || text->capacity() < sizeof(std::string) ? 0 : text->capacity();
    }
    return bytes;
}

}  // namespace

ResultTable run_query(const SQLite::Database& database, const std::string& origin,
                      const std::string& sql, const Arguments& arguments, std::size_t most_rows) {
    const Query query(database, origin, sql);
    bind_all(query, arguments);

    ResultTable table;
    const int columns = sqlite3_column_count(query.statement());
    for (int column = 0; column < columns; ++column) {
        table.columns.emplace_back(sqlite3_column_name(query.statement(), column));
    }
    int result = SQLITE_ROW;
    std::size_t bytes = 0;
    while ((result = sqlite3_step(query.statement())) == SQLITE_ROW) {
        if (table.rows.size() == most_rows) {
            table.is_cut = true;
            return table;
        }
        auto& row = table.rows.emplace_back();
        row.reserve(table.columns.size());
        for (int column = 0; column < columns; ++column) {
            row.push_back(column_value(query, column));
        }
        bytes += size_in_memory(row);
        if (bytes > most_result_bytes) {
            query.refuse(
                fmt::format("the result takes more than {} MiB of memory; ask for fewer rows",
                            most_result_bytes >> 20U));
        }
    }
    if (result != SQLITE_DONE) {
        query.fail();
    }
    return table;
}

std::int64_t query_number(const SQLite::Database& database, const std::string& origin,
                          const std::string& sql, const Arguments& arguments) {
    return integer(run_query(database, origin, sql, arguments).rows.at(0).at(0));
}

std::string query_text(const SQLite::Database& database, const std::string& origin,
                       const std::string& sql, const Arguments& arguments) {
    const Query query(database, origin, sql);
    bind_all(query, arguments);
    return text_with_values(query.statement());
}

}  // namespace cacheledger
