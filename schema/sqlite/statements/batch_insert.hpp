#pragma once

#include <SQLiteCpp/Database.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

/// A text of fixed length with a final NUL. It allocates no memory.
template <std::size_t Size>
struct FixedText {
    explicit FixedText(const std::array<char, Size>& text) {
        std::copy(text.begin(), text.end(), ended.begin());
    }
    operator std::string_view() const { return {ended.data(), Size}; }
    std::array<char, Size + 1> ended{};
};

/// Inserts rows into a table, many rows with each statement. SQLite's work for each statement
/// (cursors, locks, a statement journal) costs twice its work for a row.
///
/// Rows wait in memory until there are enough for a statement, or until flush(). Call flush()
/// before the table is read. The destructor discards waiting rows, because it may run while a
/// transaction is rolled back.
///
/// `Columns`: std::int64_t, std::string, FixedText, an array of bytes, or an optional of these.
template <typename... Columns>
class BatchInsert {
  public:
    /// `into`: the table with its columns, "version (version_id, version)". `on_conflict`: the
    /// clause for a row whose key exists, "ON CONFLICT DO NOTHING".
    BatchInsert(SQLite::Database& database, std::string into, std::string on_conflict = "")
        : database_(database), into_(std::move(into)), on_conflict_(std::move(on_conflict)) {}

    void add(Columns... values) {
        rows_.emplace_back(std::move(values)...);
        if (rows_.size() == rows_per_statement) {
            write(many_, rows_per_statement);
        }
    }

    void flush() {
        if (!rows_.empty()) {
            // The remaining rows are inserted one by one: a statement for each possible number of
            // rows is not worth it.
            std::vector<Row> rest;
            rest.swap(rows_);
            for (Row& row : rest) {
                rows_.push_back(std::move(row));
                write(one_, 1);
            }
        }
    }

  private:
    using Row = std::tuple<Columns...>;
    static constexpr std::size_t rows_per_statement = 64;  // 256 rows are no faster
    static constexpr int columns = sizeof...(Columns);

    void write(row_types::Statement& statement, std::size_t rows) {
        if (!statement) {
            const std::string row =
                fmt::format("({})", fmt::join(std::vector<std::string>(columns, "?"), ", "));
            statement = row_types::compile(
                database_,
                fmt::format("INSERT INTO {} VALUES {} {}", into_,
                            fmt::join(std::vector(rows, row), ", "), on_conflict_),
                0);
        }
        int index = 0;
        const auto bind_row = [&](const Columns&... values) {
            // The rows stay in place until the statement has run.
            (row_types::check(statement.get(),
                              row_types::bind(statement.get(), ++index, values, SQLITE_STATIC)),
             ...);
        };
        for (const Row& row : rows_) {
            std::apply(bind_row, row);
        }
        row_types::finish(statement.get());
        rows_.clear();
    }

    SQLite::Database& database_;
    std::string into_, on_conflict_;
    std::vector<Row> rows_;
    row_types::Statement one_, many_;
};

}  // namespace cacheledger
