#include "reports/engine/query/query.hpp"

#include <SQLiteCpp/Exception.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>

#include "schema/errors/error.hpp"

namespace cacheledger {

namespace {

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

}  // namespace

// A view that an interruption leaves without columns is refused with an error of its own, from
// SQLite 3.41 on, where a progress handler can interrupt the compiling, too.
bool is_interruption(sqlite3* database, int code) {
    return (code & 0xff) == SQLITE_INTERRUPT ||
           std::string_view(sqlite3_errmsg(database)).starts_with("expected 0 columns for '");
}

void Query::Finalize::operator()(sqlite3_stmt* statement) const {
    sqlite3_finalize(statement);
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

}  // namespace cacheledger
