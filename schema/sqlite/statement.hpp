#pragma once

#include <SQLiteCpp/Statement.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

namespace cacheledger {

/// Binds one value; an empty optional becomes NULL.
inline void bind_value(SQLite::Statement& statement, int index, std::int64_t value) {
    statement.bind(index, value);
}
inline void bind_value(SQLite::Statement& statement, int index, int value) {
    statement.bind(index, value);
}
inline void bind_value(SQLite::Statement& statement, int index, const std::string& value) {
    statement.bind(index, value);
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
    int index = 0;
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

/// An id for a column that can be NULL: 0 becomes nullopt.
inline std::optional<std::int64_t> null_if_zero(std::int64_t id) {
    return id == 0 ? std::nullopt : std::optional(id);
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
