#include "reports/postgresql/rows/ledger_rows.hpp"

#include <SQLiteCpp/Exception.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <utf8proc.h>

#include <algorithm>

#include "schema/errors/error.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

constexpr std::string_view letters_of_controls = "btnvfr";  // of \b, \t, \n, \v, \f, \r

/// How many bytes the character has at the beginning of the text; 0 if PostgreSQL can't store it.
std::size_t character_size(std::string_view text) {
    if (static_cast<unsigned char>(text.front()) < 0x80) {
        return text.front() == '\0' ? 0 : 1;
    }
    utf8proc_int32_t point = 0;
    const auto size = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                       static_cast<utf8proc_ssize_t>(text.size()), &point);
    return size > 0 ? static_cast<std::size_t>(size) : 0;
}

/// Whether the text is a part of a line as it is.
bool is_plain_field(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~' && c != '\\'; });
}

void append_character(std::string& line, char c) {
    if (c == '\\') {
        line += "\\\\";
    } else if (c >= '\b' && c <= '\r') {
        line += '\\';
        line += letters_of_controls[static_cast<std::size_t>(c - '\b')];
    } else {
        line += c;
    }
}

void append_hex(std::string& line, std::string_view bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    line += "\\\\x";
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        line += digits[byte >> 4U];
        line += digits[byte & 0xfU];
    }
}

std::string_view bytes_of(sqlite3_stmt* statement, int column) {
    const void* const bytes = sqlite3_column_blob(statement, column);
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
    return bytes == nullptr ? std::string_view()
                            : std::string_view(static_cast<const char*>(bytes), size);
}

constexpr std::size_t bytes_of_load = 1 << 17;

}  // namespace

void CopyLines::Finalize::operator()(sqlite3_stmt* statement) const {
    sqlite3_finalize(statement);
}

CopyLines::CopyLines(const SQLite::Database& ledger, const std::string& sql) : ledger_(ledger) {
    sqlite3_stmt* raw = nullptr;
    if (sqlite3_prepare_v2(ledger.getHandle(), sql.c_str(), -1, &raw, nullptr) != SQLITE_OK) {
        throw SQLite::Exception(ledger.getHandle());
    }
    statement_.reset(raw);
}

bool CopyLines::next() {
    if (is_over_) {  // SQLite would begin again
        return false;
    }
    const int result = sqlite3_step(statement_.get());
    if (result == SQLITE_DONE) {
        is_over_ = true;
        return false;
    }
    if (result != SQLITE_ROW) {
        throw SQLite::Exception(ledger_.getHandle(), result);
    }
    line_.clear();
    const int columns = sqlite3_column_count(statement_.get());
    for (int column = 0; column < columns; ++column) {
        if (column > 0) {
            line_ += '\t';
        }
        append(column);
    }
    return true;
}

void CopyLines::append(int column) {
    sqlite3_stmt* const statement = statement_.get();
    switch (sqlite3_column_type(statement, column)) {
        case SQLITE_NULL:
            line_ += "\\N";
            break;
        case SQLITE_INTEGER:
            line_ += fmt::format_int(sqlite3_column_int64(statement, column)).c_str();
            break;
        case SQLITE_BLOB:
            append_hex(line_, bytes_of(statement, column));
            break;
        default:
            append_text(bytes_of(statement, column));
    }
}

void CopyLines::append_text(std::string_view text) {
    if (is_plain_field(text)) {
        line_ += text;
        return;
    }
    bool is_respelled = false;
    while (!text.empty()) {
        const std::size_t size = character_size(text);
        if (size == 0) {
            append_hex(line_, text.substr(0, 1));
            is_respelled = true;
        } else if (size == 1) {
            append_character(line_, text.front());
        } else {
            line_ += text.substr(0, size);
        }
        text.remove_prefix(std::max<std::size_t>(size, 1));
    }
    respelled_ += is_respelled ? 1 : 0;
}

std::string_view first_fields(std::string_view line, std::size_t columns) {
    std::size_t end = 0;
    for (std::size_t column = 0; column < columns; ++column) {
        end = line.find('\t', column == 0 ? 0 : end + 1);
        if (end == std::string_view::npos) {
            return line;
        }
    }
    return line.substr(0, end);
}

std::vector<std::string_view> fields_of(std::string_view line, std::size_t columns) {
    std::vector<std::string_view> fields;
    auto end = line.find('\t');
    for (; end != std::string_view::npos; end = line.find('\t')) {
        fields.push_back(line.substr(0, end));
        line.remove_prefix(end + 1);
    }
    fields.push_back(line);
    if (fields.size() != columns) {
        throw DatabaseError(fmt::format("the server sent a row of {} in place of {}",
                                        counted(std::ssize(fields), "column"), columns));
    }
    return fields;
}

std::string field_text(std::string_view field) {
    std::string text;
    for (std::size_t i = 0; i < field.size(); ++i) {
        if (field[i] != '\\' || i + 1 == field.size()) {
            text += field[i];
            continue;
        }
        const char letter = field[++i];
        const auto control = letters_of_controls.find(letter);
        text += control == std::string_view::npos ? letter : static_cast<char>('\b' + control);
    }
    return text;
}

LoadedRows load_table(const SQLite::Database& ledger, PostgresConnection& connection,
                      const std::string& schema, const LedgerTable& table) {
    CopyLines lines(ledger, fmt::format("SELECT {} FROM {} ORDER BY {}", table.column_list(),
                                        table.name, table.key_list()));
    std::string bytes;
    const auto next = [&]() -> std::string_view {
        bytes.clear();
        while (bytes.size() < bytes_of_load && lines.next()) {
            bytes += lines.line();
            bytes += '\n';
        }
        return bytes;
    };
    LoadedRows loaded;
    loaded.rows = connection.copy_in(
        fmt::format("COPY {}.{} ({}) FROM STDIN", schema, table.name, table.column_list()), next);
    loaded.respelled = lines.respelled();
    return loaded;
}

LoadedRows count_rows(const SQLite::Database& ledger, const LedgerTable& table) {
    CopyLines lines(ledger, fmt::format("SELECT {} FROM {}", table.column_list(), table.name));
    LoadedRows counted;
    while (lines.next()) {
        ++counted.rows;
    }
    counted.respelled = lines.respelled();
    return counted;
}

}  // namespace cacheledger
