#pragma once

#include <string>
#include <string_view>

namespace cacheledger {

/// The line without the escape sequences that colour it on a terminal, or set links and titles. One
/// that the line does not end stays.
std::string without_escapes(std::string_view line);

}  // namespace cacheledger
