#pragma once

#include <string_view>

namespace cacheledger {

/// Throws Problem where a quote of YAML is not closed on its line: no page
/// has such a line. Where a quote is forgotten, the lines that follow would be part of the text;
/// yaml-cpp (0.7) even takes a text whose quote is never closed as if it were.
void refuse_open_quotes(std::string_view yaml);

}  // namespace cacheledger
