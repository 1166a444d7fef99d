#include "reports/engine/query/run_query.hpp"

#include <SQLiteCpp/Exception.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <memory>
#include <new>
#include <set>
#include <span>
#include <string_view>

#include "reports/engine/query/query_guard.hpp"
#include "schema/errors/error.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

/// One compiled statement that only reads and returns rows, compiled under a QueryGuard
/// (reports/engine/query/query_guard.hpp). Keeps references to the database and to both texts.
/// A Select (schema/sqlite/statements/rows.hpp) does not offer what is needed here: where the
/// statement ends, the names of its parameters, and whether it would write.
class Query {
  public:
    /// Throws UsageError if `sql` is not exactly one statement, does not compile, would write, or
    /// returns no rows. Throws SQLite::Exception if the database can't be used. `origin`: the name
    /// of the file, for messages.
    Query(const SQLite::Database& database, const std::string& origin, const std::string& sql);

    sqlite3_stmt* statement() const { return statement_.get(); }

    /// Throws UsageError, "origin:line:column: reason", or "origin: reason" if `offset` is
    /// negative. `offset`: the position in the SQL, in bytes.
    [[noreturn]] void refuse(std::string_view reason, int offset = -1) const;

    /// Throws for the error of the last call to SQLite: Interrupted, UsageError if the query is at
    /// fault, else SQLite::Exception.
    [[noreturn]] void fail() const;

  private:
    [[noreturn]] void refuse_to_run(std::string_view what) const;

    std::string place(int offset) const;

    const SQLite::Database& database_;
    const std::string& origin_;
    const std::string& sql_;
    QueryGuard guard_;
    std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement_{nullptr, sqlite3_finalize};
};

bool is_fault_of_query(int code) {
    switch (code) {
        case SQLITE_ERROR:
        case SQLITE_MISMATCH:
        case SQLITE_CONSTRAINT:
        case SQLITE_RANGE:
            return true;
        default:
            return false;
    }
}

std::string first_word(std::string_view sql) {
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    return std::string(sql.substr(0, sql.find_first_not_of(letters)));
}

/// The offset of the first character after blanks, comments and semicolons. The rest is not
/// compiled to see whether it is a statement, because some pragmas act while they are compiled.
std::size_t skip_to_statement(std::string_view sql, std::size_t offset) {
    while (offset < sql.size()) {
        const std::string_view rest = sql.substr(offset);
        if (rest.starts_with("--")) {
            offset = sql.find('\n', offset);
        } else if (rest.starts_with("/*")) {
            const auto end = sql.find("*/", offset + 2);
            offset = end == std::string_view::npos ? end : end + 2;
        } else if (std::string_view(" \t\n\f\r;").find(rest.front()) != std::string_view::npos) {
            ++offset;
        } else {
            return offset;
        }
    }
    return sql.size();
}

Query::Query(const SQLite::Database& database, const std::string& origin, const std::string& sql)
    : database_(database), origin_(origin), sql_(sql), guard_(database) {
    if (const auto nul = sql.find('\0'); nul != std::string::npos) {
        refuse("a NUL character, where SQLite would stop reading", static_cast<int>(nul));
    }
    sqlite3_stmt* raw = nullptr;
    const char* tail = nullptr;
    if (sqlite3_prepare_v2(database.getHandle(), sql.c_str(), -1, &raw, &tail) != SQLITE_OK) {
        fail();
    }
    statement_.reset(raw);
    const auto rest = skip_to_statement(sql, static_cast<std::size_t>(tail - sql.c_str()));
    if (raw == nullptr) {
        refuse("there is no statement");
    }
    if (rest != sql.size()) {
        refuse("only one statement is allowed; a second one begins here", static_cast<int>(rest));
    }
    if (sqlite3_stmt_readonly(raw) == 0) {
        refuse_to_run(first_word(std::string_view(sql).substr(skip_to_statement(sql, 0))));
    }
    if (sqlite3_column_count(raw) == 0) {
        refuse("this statement gives no rows; only queries are allowed");
    }
}

void Query::refuse(std::string_view reason, int offset) const {
    throw UsageError(fmt::format("{}: {}", place(offset), reason));
}

void Query::refuse_to_run(std::string_view what) const {
    refuse(fmt::format("{} is refused; only reading is allowed", what));
}

void Query::fail() const {
    sqlite3* handle = database_.getHandle();
    const int code = sqlite3_errcode(handle) & 0xff;
    if (!guard_.refused().empty()) {
        refuse_to_run(guard_.refused());
    }
    if (is_interruption(handle, code)) {
        throw Interrupted("interrupted");
    }
    if (code == SQLITE_NOMEM) {
        refuse(fmt::format("it takes more than {} MiB of memory; ask for less at a time",
                           most_query_bytes >> 20));
    }
    if (code == SQLITE_TOOBIG) {
        refuse(fmt::format("a text, BLOB or row of more than {} MiB; ask for less at a time",
                           most_value_bytes >> 20));
    }
    if (!is_fault_of_query(code)) {
        throw SQLite::Exception(handle, code);
    }
    int offset = -1;
#if SQLITE_VERSION_NUMBER >= 3038000
    offset = sqlite3_error_offset(handle);
#endif
    refuse(sqlite3_errmsg(handle), offset);
}

std::string Query::place(int offset) const {
    if (offset < 0 || static_cast<std::size_t>(offset) > sql_.size()) {
        return origin_;
    }
    const std::string_view before(sql_.data(), static_cast<std::size_t>(offset));
    const auto line = std::ranges::count(before, '\n') + 1;
    const auto column = std::ranges::count_if(  // characters, not bytes
        before.substr(before.rfind('\n') + 1), [](char c) { return (c & 0xc0) != 0x80; });
    return fmt::format("{}:{}:{}", origin_, line, column + 1);
}

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
        if (row_types::bind(query.statement(), index, argument->second, SQLITE_STATIC) !=
            SQLITE_OK) {
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

// A view that an interruption leaves without columns is refused with an error of its own, from
// SQLite 3.41 on, where a progress handler can interrupt the compiling, too.
bool is_interruption(sqlite3* database, int code) {
    return (code & 0xff) == SQLITE_INTERRUPT ||
           std::string_view(sqlite3_errmsg(database)).starts_with("expected 0 columns for '");
}

std::string text_with_values(sqlite3_stmt* statement) {
    const std::unique_ptr<char, void (*)(void*)> text(sqlite3_expanded_sql(statement),
                                                      sqlite3_free);
    if (text == nullptr) {
        throw std::bad_alloc();
    }
    return text.get();
}

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

std::string query_text(const SQLite::Database& database, const std::string& origin,
                       const std::string& sql, const Arguments& arguments) {
    const Query query(database, origin, sql);
    bind_all(query, arguments);
    return text_with_values(query.statement());
}

}  // namespace cacheledger
