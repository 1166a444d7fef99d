#pragma once

#include <cstdint>
#include <string>
#include <variant>

namespace cacheledger {

/// A value as SQLite has it; NULL is monostate, and a BLOB its hex digits.
using Value = std::variant<std::monostate, std::int64_t, double, std::string>;

bool is_null(const Value& value);
bool is_number(const Value& value);

/// The value as every format prints it: a double in the shortest form that reads back, NULL as "".
std::string to_text(const Value& value);

}  // namespace cacheledger
