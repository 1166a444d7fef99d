#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "schema/basics/number.hpp"  // grouped()

namespace cacheledger {

/// A value of SQLite. NULL is monostate; a BLOB is a text of its hex digits.
using Value = std::variant<std::monostate, std::int64_t, double, std::string>;

bool is_null(const Value& value);
bool is_number(const Value& value);

/// The value as every format prints it. NULL is "", and a double has the fewest digits that read
/// back as the same number.
std::string to_text(const Value& value);

}  // namespace cacheledger
