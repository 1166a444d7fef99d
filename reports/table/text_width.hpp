#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cacheledger {

/// How many columns of a terminal the text takes: 2 for a wide character, 0 for a combining one.
/// The text must come from visible().
std::size_t display_width(std::string_view text);

/// The text with every character written out that would not show or would act on a terminal: \n,
/// \t, \r, \x1b for other control characters, \u{202e} for characters that are invisible or change
/// the writing direction, \xff for a byte that is not UTF-8. Joiners and variation selectors stay
/// if they follow a letter or emoji beyond ASCII, because they are part of its spelling. Returns
/// valid UTF-8. A backslash is not escaped, so the original can't be restored.
std::string visible(std::string_view text);

/// Whether visible() returns the text unchanged.
bool is_visible(std::string_view text);

/// The text, cut to `width` columns and ended with "…" if it is wider. It is cut only between
/// characters as people see them.
std::string fit(std::string_view text, std::size_t width);

}  // namespace cacheledger
