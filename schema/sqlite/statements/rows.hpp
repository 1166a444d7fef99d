#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace cacheledger {

// How SQL is asked:
//
//     for (const auto& [name, specs] :
//          rows<std::string, std::int64_t>(database, "SELECT name, specs FROM ...", series_id)) {
//
// The types are those of the columns in C++: an integer, bool, double, std::string,
// std::string_view (good until the next row), std::array<std::uint8_t, N> for a BLOB (filled with
// zeros or cut to its size), or an optional of these. NULL is nullopt; where the type is no
// optional, it is 0 or empty. The values of the parameters follow the text, in their order: the
// same types. All throw SQLite::Exception, and std::logic_error if the number of columns or of
// values is not that of the statement (SQLite would take a missing value as NULL).
//
// One row is `.first()`, a container of all is `.to<std::map<std::string, std::int64_t>>()`. What
// runs many times is compiled once: a Select gives rows, a Write changes the database. execute()
// compiles and runs one that changes the database.
//
// This reads a row in two thirds of the time of SQLite::Statement, which makes an object for each
// value.

namespace row_types {

template <typename Type>
struct IsOptional : std::false_type {};
template <typename Type>
struct IsOptional<std::optional<Type>> : std::true_type {};

inline void check(sqlite3_stmt* statement, int result) {
    if (result != SQLITE_OK) {
        throw SQLite::Exception(sqlite3_db_handle(statement), result);
    }
}

/// The value of a column in the current row.
template <typename Type>
Type column(sqlite3_stmt* row, int index) {
    if constexpr (IsOptional<Type>::value) {
        return sqlite3_column_type(row, index) == SQLITE_NULL
                   ? Type()
                   : Type(column<typename Type::value_type>(row, index));
    } else if constexpr (std::is_same_v<Type, bool>) {
        return sqlite3_column_int64(row, index) != 0;
    } else if constexpr (std::is_integral_v<Type>) {
        return static_cast<Type>(sqlite3_column_int64(row, index));
    } else if constexpr (std::is_floating_point_v<Type>) {
        return static_cast<Type>(sqlite3_column_double(row, index));
    } else if constexpr (std::is_constructible_v<Type, std::string_view>) {
        const auto* const text = reinterpret_cast<const char*>(sqlite3_column_text(row, index));
        return Type(
            std::string_view(text, static_cast<std::size_t>(sqlite3_column_bytes(row, index))));
    } else {
        Type bytes{};
        const auto* const blob = static_cast<const std::uint8_t*>(sqlite3_column_blob(row, index));
        const auto size = static_cast<std::size_t>(sqlite3_column_bytes(row, index));
        std::copy_n(blob, std::min(bytes.size(), size), bytes.begin());
        return bytes;
    }
}

/// `keeper`: SQLITE_TRANSIENT to copy a text or BLOB, SQLITE_STATIC if it stays in place until the
/// statement has run.
template <typename Type>
int bind(sqlite3_stmt* statement, int index, const Type& value, sqlite3_destructor_type keeper) {
    if constexpr (IsOptional<Type>::value) {
        return value ? bind(statement, index, *value, keeper) : sqlite3_bind_null(statement, index);
    } else if constexpr (std::is_same_v<Type, std::nullopt_t> ||
                         std::is_same_v<Type, std::monostate>) {
        return sqlite3_bind_null(statement, index);
    } else if constexpr (requires { value.valueless_by_exception(); }) {
        return std::visit([&](const auto& one) { return bind(statement, index, one, keeper); },
                          value);
    } else if constexpr (std::is_integral_v<Type>) {
        return sqlite3_bind_int64(statement, index, static_cast<std::int64_t>(value));
    } else if constexpr (std::is_floating_point_v<Type>) {
        return sqlite3_bind_double(statement, index, value);
    } else if constexpr (std::is_convertible_v<Type, std::string_view>) {
        const std::string_view text = value;
        return sqlite3_bind_text64(statement, index, text.empty() ? "" : text.data(), text.size(),
                                   keeper, SQLITE_UTF8);
    } else {
        return sqlite3_bind_blob64(statement, index, value.data(), value.size(), keeper);
    }
}

inline void check_number(sqlite3_stmt* statement, int found, std::size_t expected,
                         const char* what) {
    if (found != static_cast<int>(expected)) {
        throw std::logic_error(std::string("wrong number of ") + what +
                               " for: " + sqlite3_sql(statement));
    }
}

using Statement = std::shared_ptr<sqlite3_stmt>;

inline Statement compile(const SQLite::Database& database, std::string_view sql,
                         std::size_t columns) {
    sqlite3_stmt* raw = nullptr;
    const int result = sqlite3_prepare_v2(database.getHandle(), sql.data(),
                                          static_cast<int>(sql.size()), &raw, nullptr);
    if (result != SQLITE_OK) {
        throw SQLite::Exception(database.getHandle(), result);
    }
    Statement statement(raw, sqlite3_finalize);
    check_number(raw, sqlite3_column_count(raw), columns, "columns");
    return statement;
}

/// Makes it ready to run with these values.
template <typename... Values>
void start(sqlite3_stmt* statement, [[maybe_unused]] sqlite3_destructor_type keeper,
           const Values&... values) {
    sqlite3_reset(statement);
    check_number(statement, sqlite3_bind_parameter_count(statement), sizeof...(values), "values");
    [[maybe_unused]] int index = 0;
    (check(statement, bind(statement, ++index, values, keeper)), ...);
}

/// Runs one that gives no rows.
inline void finish(sqlite3_stmt* statement) {
    const int result = sqlite3_step(statement);
    sqlite3_reset(statement);  // keeps the error
    if (result != SQLITE_DONE) {
        throw SQLite::Exception(sqlite3_db_handle(statement), result);
    }
}

}  // namespace row_types

template <typename... Columns>
class Select;

/// The rows of a statement that runs. They are read once, from the first to the last; another run
/// of the statement ends it.
template <typename... Columns>
class Rows {
  public:
    explicit Rows(row_types::Statement statement) : statement_(std::move(statement)) {}
    /// Those of a SELECT that runs once.
    template <typename... Values>
    Rows(const SQLite::Database& database, std::string_view sql, const Values&... values)
        : Rows(Select<Columns...>(database, sql)(values...)) {}
    ~Rows() {
        if (statement_) {
            sqlite3_reset(statement_.get());
        }
    }
    Rows(Rows&&) noexcept = default;
    Rows& operator=(Rows&&) = delete;
    Rows(const Rows&) = delete;
    Rows& operator=(const Rows&) = delete;

    class Iterator {
      public:
        explicit Iterator(sqlite3_stmt* statement) : statement_(statement) { ++*this; }
        std::tuple<Columns...> operator*() const {
            return read(std::index_sequence_for<Columns...>());
        }
        Iterator& operator++() {
            const int result = sqlite3_step(statement_);
            if (result != SQLITE_ROW && result != SQLITE_DONE) {
                row_types::check(statement_, result);
            }
            is_at_row_ = result == SQLITE_ROW;
            return *this;
        }
        bool operator==(std::default_sentinel_t /*end*/) const { return !is_at_row_; }

      private:
        template <std::size_t... places>
        std::tuple<Columns...> read(std::index_sequence<places...> /*all*/) const {
            return {row_types::column<Columns>(statement_, static_cast<int>(places))...};
        }

        sqlite3_stmt* statement_;
        bool is_at_row_ = false;
    };
    Iterator begin() const { return Iterator(statement_.get()); }
    std::default_sentinel_t end() const { return {}; }

    /// The first row, if there is one: its value, or a tuple where there are several columns.
    auto first() const {
        static_assert(!(std::is_same_v<Columns, std::string_view> || ...), "the row is gone then");
        using Row = std::tuple<Columns...>;
        const Iterator row = begin();
        if constexpr (sizeof...(Columns) == 1) {
            using Only = std::tuple_element_t<0, Row>;
            return row == end() ? std::optional<Only>() : std::optional<Only>(std::get<0>(*row));
        } else {
            return row == end() ? std::optional<Row>() : std::optional<Row>(*row);
        }
    }

    /// The first row, which must be there: throws SQLite::Exception without one.
    auto only() const {
        auto row = first();
        if (!row) {
            throw SQLite::Exception(std::string("no row for: ") + sqlite3_sql(statement_.get()));
        }
        return *std::move(row);
    }

    /// All rows. The elements of the container are made of the columns: "Element{columns...}".
    template <typename Container>
    Container to() const {
        using Element = typename Container::value_type;
        static_assert(!std::is_same_v<Element, std::string_view>, "the rows are gone then");
        Container all;
        for (auto&& row : *this) {
            all.insert(all.end(),
                       std::apply(
                           [](auto&&... columns) {
                               return Element{std::forward<decltype(columns)>(columns)...};
                           },
                           std::move(row)));
        }
        return all;
    }

  private:
    row_types::Statement statement_;
};

/// A compiled SELECT that runs many times: `select(values...)` gives its rows.
template <typename... Columns>
class Select {
  public:
    using Row = std::tuple<Columns...>;

    Select(const SQLite::Database& database, std::string_view sql)
        : statement_(row_types::compile(database, sql, sizeof...(Columns))) {}

    template <typename... Values>
    Rows<Columns...> operator()(const Values&... values) const {
        row_types::start(statement_.get(), SQLITE_TRANSIENT, values...);
        return Rows<Columns...>(statement_);
    }

  private:
    row_types::Statement statement_;
};

/// A compiled statement that gives no rows and runs many times: `insert(values...)` runs it.
class Write {
  public:
    Write(const SQLite::Database& database, std::string_view sql)
        : statement_(row_types::compile(database, sql, 0)) {}

    template <typename... Values>
    void operator()(const Values&... values) const {
        row_types::start(statement_.get(), SQLITE_STATIC, values...);
        row_types::finish(statement_.get());
    }

  private:
    row_types::Statement statement_;
};

/// Runs a statement that gives no rows.
template <typename... Values>
void execute(const SQLite::Database& database, std::string_view sql, const Values&... values) {
    Write(database, sql)(values...);
}

/// An id for a column that can be NULL: 0 becomes nullopt.
inline std::optional<std::int64_t> null_if_zero(std::int64_t id) {
    return id == 0 ? std::nullopt : std::optional(id);
}

/// The rows of a SELECT.
template <typename... Columns, typename... Values>
Rows<Columns...> rows(const SQLite::Database& database, std::string_view sql,
                      const Values&... values) {
    return Rows<Columns...>(database, sql, values...);
}

/// All values of a SELECT of one column.
template <typename Column, typename... Values>
std::vector<Column> all_values(const SQLite::Database& database, std::string_view sql,
                               const Values&... values) {
    return rows<Column>(database, sql, values...).template to<std::vector<Column>>();
}

/// The value of the first row; nullopt without a row.
template <typename Column, typename... Values>
std::optional<Column> first_value(const SQLite::Database& database, std::string_view sql,
                                  const Values&... values) {
    return rows<Column>(database, sql, values...).first();
}

/// The value of the one row that a SELECT has always, as of count(*).
template <typename Column, typename... Values>
Column only_value(const SQLite::Database& database, std::string_view sql, const Values&... values) {
    return rows<Column>(database, sql, values...).only();
}

}  // namespace cacheledger
