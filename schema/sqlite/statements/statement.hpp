#pragma once

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Statement.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

/// Binds one value: an integer, a text, an array of bytes, or an optional of these, which becomes
/// NULL if it is empty.
template <typename Integer>
requires std::is_integral_v<Integer>
void bind_value(SQLite::Statement& statement, int index, Integer value) {
    statement.bind(index, value);
}
inline void bind_value(SQLite::Statement& statement, int index, const std::string& text) {
    statement.bind(index, text);
}
template <std::size_t Size>
void bind_value(SQLite::Statement& statement, int index,
                const std::array<std::uint8_t, Size>& bytes) {
    statement.bind(index, bytes.data(), static_cast<int>(Size));
}
template <typename Value>
void bind_value(SQLite::Statement& statement, int index, const std::optional<Value>& value) {
    if (value) {
        bind_value(statement, index, *value);
    } else {
        statement.bind(index);
    }
}

/// Resets the statement and binds all of its parameters, in order. Throws std::logic_error if the
/// number of values is wrong: SQLite would treat missing values as NULL, and reset() alone keeps
/// the values of the previous run.
template <typename... Values>
void rebind(SQLite::Statement& statement, const Values&... values) {
    statement.reset();
    if (statement.getBindParameterCount() != static_cast<int>(sizeof...(values))) {
        throw std::logic_error("wrong number of values for: " + statement.getQuery());
    }
    [[maybe_unused]] int index = 0;  // there may be no values
    (bind_value(statement, ++index, values), ...);
}

/// Runs a statement that returns no rows.
template <typename... Values>
void run(SQLite::Statement& statement, const Values&... values) {
    rebind(statement, values...);
    statement.exec();
    statement.reset();
}

/// The BLOB of a column as an array of type `Bytes`. A shorter BLOB is filled with zeros, a longer
/// one is cut.
template <typename Bytes>
Bytes bytes_column(SQLite::Statement& statement, int column) {
    Bytes bytes{};
    const SQLite::Column blob = statement.getColumn(column);
    const auto* const data = static_cast<const std::uint8_t*>(blob.getBlob());
    std::copy_n(data, std::min(bytes.size(), static_cast<std::size_t>(blob.getBytes())),
                bytes.begin());
    return bytes;
}

/// The integer of a column, or nullopt for NULL.
inline std::optional<std::int64_t> optional_int(SQLite::Statement& statement, int column) {
    if (statement.isColumnNull(column)) {
        return std::nullopt;
    }
    return statement.getColumn(column).getInt64();
}

/// The text of a column, or nullopt for NULL.
inline std::optional<std::string> optional_text(SQLite::Statement& statement, int column) {
    if (statement.isColumnNull(column)) {
        return std::nullopt;
    }
    return statement.getColumn(column).getString();
}

}  // namespace cacheledger
