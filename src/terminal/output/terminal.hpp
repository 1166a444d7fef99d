#pragma once

#include <cstddef>

namespace cacheledger {

/// The number of columns of the terminal on standard output; 0 if standard output is no terminal.
std::size_t terminal_width();

/// Whether standard output is a terminal with colours. Respects NO_COLOR (no-color.org).
bool terminal_has_color();

}  // namespace cacheledger
