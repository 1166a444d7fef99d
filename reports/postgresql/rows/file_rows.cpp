#include "reports/postgresql/rows/file_rows.hpp"

#include <SQLiteCpp/Exception.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>

#include <algorithm>
#include <set>

#include "reports/postgresql/rows/copy_lines.hpp"
#include "schema/errors/error.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/text/number.hpp"

namespace cacheledger {

namespace {

std::set<std::string> generated_columns(SQLite::Database& ledger, const std::string& table) {
    const auto names = all_values<std::string>(
        ledger, "SELECT name FROM pragma_table_xinfo(?) WHERE hidden <> 0", table);
    return {names.begin(), names.end()};
}

/// The bytes that "\x6162" writes out.
std::string bytes_of_hex(std::string_view hex) {
    const auto digit = [](char c) { return c >= 'a' ? c - 'a' + 10 : c - '0'; };
    std::string bytes;
    for (std::size_t i = 2; i + 1 < hex.size(); i += 2) {
        bytes += static_cast<char>(digit(hex[i]) * 16 + digit(hex[i + 1]));
    }
    return bytes;
}

template <typename Work>
void for_each_line(std::string_view lines, Work work) {
    while (!lines.empty()) {
        const auto end = std::min(lines.find('\n'), lines.size());
        work(lines.substr(0, end));
        lines.remove_prefix(std::min(end + 1, lines.size()));
    }
}

}  // namespace

void FileRows::Finalize::operator()(sqlite3_stmt* statement) const {
    sqlite3_finalize(statement);
}

FileRows::FileRows(SQLite::Database& ledger, const LedgerTable& table)
    : ledger_(ledger), table_(table) {
    const auto generated = generated_columns(ledger, table.name);
    std::vector<std::string> names;
    for (const LedgerColumn& column : table.columns) {
        const bool is_generated = generated.contains(column.name);
        numbers_.push_back(is_generated ? 0 : static_cast<int>(names.size()) + 1);
        if (!is_generated) {
            names.push_back(column.name);
        }
    }
    insert_ = prepare(fmt::format("INSERT OR REPLACE INTO {} ({}) VALUES ({})", table.name,
                                  fmt::join(names, ", "),
                                  fmt::join(std::vector<std::string>(names.size(), "?"), ", ")));
    std::vector<std::string> conditions;
    for (std::size_t column = 0; column < table.key_columns; ++column) {
        conditions.push_back(table.columns[column].name + " = ?");
    }
    remove_ =
        prepare(fmt::format("DELETE FROM {} WHERE {}", table.name, fmt::join(conditions, " AND ")));
}

FileRows::Statement FileRows::prepare(const std::string& sql) const {
    sqlite3_stmt* raw = nullptr;
    if (sqlite3_prepare_v2(ledger_.getHandle(), sql.c_str(), -1, &raw, nullptr) != SQLITE_OK) {
        throw SQLite::Exception(ledger_.getHandle());
    }
    return Statement(raw);
}

void FileRows::bind(sqlite3_stmt* statement, int number, const LedgerColumn& column,
                    std::string_view field) const {
    int result = SQLITE_OK;
    const auto size = static_cast<int>(field.size());
    if (field == "\\N") {
        result = sqlite3_bind_null(statement, number);
    } else if (column.is_number()) {
        const auto value = parse_number<std::int64_t>(field);
        if (!value) {
            throw DatabaseError(
                fmt::format("the server sent no number as {} of {}", column.name, table_.name));
        }
        result = sqlite3_bind_int64(statement, number, *value);
    } else if (column.type == "bytea") {
        const std::string bytes = bytes_of_hex(field_text(field));
        result = sqlite3_bind_blob(statement, number, bytes.data(), static_cast<int>(bytes.size()),
                                   SQLITE_TRANSIENT);
    } else if (field.find('\\') == std::string_view::npos) {
        // The line lives until the statement has run.
        result = sqlite3_bind_text(statement, number, field.data(), size, SQLITE_STATIC);
    } else {
        const std::string text = field_text(field);
        result = sqlite3_bind_text(statement, number, text.data(), static_cast<int>(text.size()),
                                   SQLITE_TRANSIENT);
    }
    if (result != SQLITE_OK) {
        throw SQLite::Exception(ledger_.getHandle(), result);
    }
}

void FileRows::run(sqlite3_stmt* statement) const {
    const int result = sqlite3_step(statement);
    if (result != SQLITE_DONE) {
        throw SQLite::Exception(ledger_.getHandle(), result);
    }
    sqlite3_reset(statement);
}

void FileRows::insert(std::string_view line) {
    const auto fields = fields_of(line, table_.columns.size());
    for (std::size_t column = 0; column < table_.columns.size(); ++column) {
        if (numbers_[column] > 0) {
            bind(insert_.get(), numbers_[column], table_.columns[column], fields[column]);
        }
    }
    run(insert_.get());
}

void FileRows::remove(std::string_view key) {
    const auto fields = fields_of(key, table_.key_columns);
    for (std::size_t column = 0; column < table_.key_columns; ++column) {
        bind(remove_.get(), static_cast<int>(column) + 1, table_.columns[column], fields[column]);
    }
    run(remove_.get());
}

void FileRows::insert_all(std::string_view lines) {
    for_each_line(lines, [this](std::string_view line) { insert(line); });
}

void FileRows::remove_all(std::string_view keys) {
    for_each_line(keys, [this](std::string_view key) { remove(key); });
}

}  // namespace cacheledger
