#include "reports/postgresql/rows/ledger_rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <compare>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/engine/server/connection.hpp"
#include "reports/engine/server/plain_table.hpp"

namespace cacheledger {

namespace {

/// The value as an element of an array in its text form.
void append_element(std::string& elements, const std::string& value, bool is_number) {
    if (!elements.empty()) {
        elements += ',';
    }
    if (is_number) {
        elements += value;
        return;
    }
    elements += '"';
    for (const char c : value) {
        elements += c == '"' || c == '\\' ? "\\" : "";
        elements += c;
    }
    elements += '"';
}

/// Keys as rows of a query for PostgreSQL: a call of unnest(), which makes no table as a temporary
/// one would be. `keys`: lines of COPY with the columns of the table's key.
std::string rows_of_keys(const LedgerTable& table, const std::vector<std::string>& keys) {
    std::vector<std::string> elements(table.key_columns);
    for (const std::string& key : keys) {
        const auto fields = fields_of(key, table.key_columns);
        for (std::size_t column = 0; column < table.key_columns; ++column) {
            append_element(elements[column], field_text(fields[column]),
                           table.columns[column].is_number());
        }
    }
    std::vector<std::string> arrays;
    for (std::size_t column = 0; column < table.key_columns; ++column) {
        arrays.push_back(fmt::format("{}::{}[]", quoted_text("{" + elements[column] + "}"),
                                     table.columns[column].type));
    }
    return fmt::format("unnest({})", fmt::join(arrays, ", "));
}

/// FNV-1a. The sum of those of all rows does not depend on their order.
std::uint64_t checksum_of(std::string_view line) {
    std::uint64_t sum = 14695981039346656037U;
    for (const char c : line) {
        sum = (sum ^ static_cast<unsigned char>(c)) * 1099511628211U;
    }
    return sum;
}

/// The order of keys that are numbers.
std::strong_ordering compare_keys(std::string_view a, std::string_view b) {
    while (true) {
        std::int64_t left = 0;
        std::int64_t right = 0;
        const auto end_a = std::from_chars(a.data(), a.data() + a.size(), left).ptr;
        const auto end_b = std::from_chars(b.data(), b.data() + b.size(), right).ptr;
        if (left != right) {
            return left <=> right;
        }
        a.remove_prefix(static_cast<std::size_t>(end_a - a.data()));
        b.remove_prefix(static_cast<std::size_t>(end_b - b.data()));
        if (a.empty() || b.empty()) {
            return a.size() <=> b.size();
        }
        a.remove_prefix(1);
        b.remove_prefix(1);
    }
}

/// Takes the rows of both sides, and notes in what they differ.
class Differ {
  public:
    Differ(TableDifference& difference, RightRows right)
        : difference_(difference), table_(*difference.table), right_(right) {}

    std::string_view key_of(std::string_view line) const {
        return first_fields(line, table_.key_columns);
    }
    void only_in_file(std::string_view line) { only_in(RightRows::file, line); }
    void only_on_server(std::string_view line) { only_in(RightRows::server, line); }
    void both(std::string_view in_file, std::string_view on_server) {
        if (in_file != on_server) {
            replace(in_file, on_server);
        }
    }
    /// The server has the row twice. Whatever deletes one of them deletes both.
    void twice(std::string_view in_file) { replace(in_file, in_file); }

  private:
    void replace(std::string_view in_file, std::string_view on_server) {
        ++difference_.updated;
        difference_.old_keys.emplace_back(key_of(in_file));
        add_line(right_ == RightRows::file ? in_file : on_server);
    }
    void only_in(RightRows side, std::string_view line) {
        if (side == right_) {
            ++difference_.inserted;
            add_line(line);
        } else {
            ++difference_.deleted;
            difference_.old_keys.emplace_back(key_of(line));
        }
    }
    void add_line(std::string_view line) {
        difference_.new_lines += line;
        difference_.new_lines += '\n';
    }

    TableDifference& difference_;
    const LedgerTable& table_;
    RightRows right_;
};

/// Compares rows that both sides give in the order of their keys. It keeps none in memory that does
/// not differ.
class OrderedRows {
  public:
    OrderedRows(CopyLines& lines, TableDifference& difference, RightRows right)
        : lines_(lines), difference_(difference), differ_(difference, right) {
        advance();
    }

    void add_published(std::string_view line) {
        const auto key = differ_.key_of(line);
        while (has_row_ && compare_keys(differ_.key_of(lines_.line()), key) < 0) {
            differ_.only_in_file(lines_.line());
            advance();
        }
        if (has_row_ && differ_.key_of(lines_.line()) == key) {
            differ_.both(lines_.line(), line);
            last_ = lines_.line();
            has_last_changed_ = lines_.line() != line;
            advance();
        } else if (differ_.key_of(last_) != key) {
            differ_.only_on_server(line);
        } else if (!has_last_changed_) {
            differ_.twice(last_);
            has_last_changed_ = true;
        }
    }

    void end() {
        while (has_row_) {
            differ_.only_in_file(lines_.line());
            advance();
        }
    }

  private:
    void advance() {
        has_row_ = lines_.next();
        if (has_row_) {
            ++difference_.rows;
            difference_.checksum += checksum_of(lines_.line());
        }
    }

    CopyLines& lines_;
    TableDifference& difference_;
    Differ differ_;
    bool has_row_ = false;
    std::string last_;  // of the file, that both had: a table without a key can have it again
    bool has_last_changed_ = false;
};

/// Compares rows in any order: those of a table whose key has texts, which has few.
class UnorderedRows {
  public:
    UnorderedRows(CopyLines& lines, TableDifference& difference, RightRows right)
        : differ_(difference, right) {
        while (lines.next()) {
            ++difference.rows;
            difference.checksum += checksum_of(lines.line());
            rows_.emplace(differ_.key_of(lines.line()), lines.line());
        }
    }

    void add_published(std::string_view line) {
        const auto row = rows_.find(differ_.key_of(line));
        if (row == rows_.end()) {
            differ_.only_on_server(line);
            return;
        }
        differ_.both(row->second, line);
        rows_.erase(row);
    }

    void end() {
        for (const auto& row : rows_) {
            differ_.only_in_file(row.second);
        }
    }

  private:
    Differ differ_;
    std::map<std::string, std::string, std::less<>> rows_;
};

template <typename Rows>
void compare(Rows rows, PostgresConnection& connection, const std::string& sql,
             TableDifference& difference) {
    connection.copy_out(sql, [&](std::string_view line) {
        ++difference.published;
        difference.published_checksum += checksum_of(line);
        rows.add_published(line);
    });
    rows.end();
}

std::string statement_to_delete(const std::string& schema, const LedgerTable& table,
                                const std::vector<std::string>& keys) {
    std::vector<std::string> conditions;
    for (std::size_t column = 0; column < table.key_columns; ++column) {
        // + 0: with an index on the moments the server would read all rows of a moment for each
        // key.
        const std::string& name = table.columns[column].name;
        conditions.push_back(
            fmt::format("t.{0}{1} = k.{0}", name, name == "valid_from" ? " + 0" : ""));
    }
    return fmt::format("DELETE FROM {}.{} t USING {} k({}) WHERE {}", schema, table.name,
                       rows_of_keys(table, keys), table.key_list(), fmt::join(conditions, " AND "));
}

constexpr std::size_t keys_at_once = 20'000;

void delete_rows(PostgresConnection& connection, const std::string& schema,
                 const TableDifference& difference) {
    const auto& keys = difference.old_keys;
    for (std::size_t begin = 0; begin < keys.size(); begin += keys_at_once) {
        const auto first = keys.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto count = std::min(keys_at_once, keys.size() - begin);
        connection.run(
            statement_to_delete(schema, *difference.table,
                                std::vector(first, first + static_cast<std::ptrdiff_t>(count))));
    }
}

void insert_rows(PostgresConnection& connection, const std::string& schema,
                 const TableDifference& difference) {
    if (difference.new_lines.empty()) {
        return;
    }
    constexpr std::size_t bytes_at_once = 1 << 18;
    std::string_view left = difference.new_lines;
    connection.copy_in(fmt::format("COPY {}.{} ({}) FROM STDIN", schema, difference.table->name,
                                   difference.table->column_list()),
                       [&] {
                           const auto part = left.substr(0, bytes_at_once);
                           left.remove_prefix(part.size());
                           return part;
                       });
}

}  // namespace

TableDifference compare_rows(const SQLite::Database& ledger, PostgresConnection& connection,
                             const std::string& schema, const LedgerTable& table, RightRows right) {
    TableDifference difference;
    difference.table = &table;
    require_plain_table(connection, fmt::format("{}.{}", schema, table.name));
    const std::string columns = table.column_list();
    const std::string order =
        table.has_numeric_key() ? fmt::format(" ORDER BY {}", table.key_list()) : "";
    CopyLines lines(ledger, fmt::format("SELECT {} FROM {}{}", columns, table.name, order));
    const std::string published =
        fmt::format("COPY (SELECT {} FROM {}.{}{}) TO STDOUT", columns, schema, table.name, order);
    if (table.has_numeric_key()) {
        compare(OrderedRows(lines, difference, right), connection, published, difference);
    } else {
        compare(UnorderedRows(lines, difference, right), connection, published, difference);
    }
    difference.respelled = lines.respelled();
    return difference;
}

void write_difference(PostgresConnection& connection, const std::string& schema,
                      const TableDifference& difference) {
    delete_rows(connection, schema, difference);
    insert_rows(connection, schema, difference);
}

}  // namespace cacheledger
