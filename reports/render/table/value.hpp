#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "schema/text/counted.hpp"  // counted(), grouped()

namespace cacheledger {

/// A value of SQLite. NULL is monostate; a BLOB is a text of its hex digits.
using Value = std::variant<std::monostate, std::int64_t, double, std::string>;

bool is_null(const Value& value);
bool is_number(const Value& value);

/// The value as every format prints it. NULL is "", and a double has the fewest digits that read
/// back as the same number.
std::string to_text(const Value& value);

/// The integer that the value must be. Throws std::bad_variant_access for another value.
std::int64_t integer(const Value& value);

/// The parts of the text between the separators; none of an empty text.
std::vector<std::string> split(std::string_view text, char separator);

/// "a", "a and b", "a, b and c"; after `most` of them "and 2 others".
std::string listed(const std::vector<std::string>& words, std::size_t most);

}  // namespace cacheledger
