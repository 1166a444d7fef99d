#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cacheledger {

/// How many columns of a terminal the text takes: 2 for a wide character, 0 for a combining one.
/// Means something only for text that went through visible().
std::size_t display_width(std::string_view text);

/// The text with everything that would not show, or would act on a terminal, written out: \n, \t,
/// \r, \x1b for other control characters, \u{202e} for those that are invisible or turn the writing
/// direction (joiners and variation selectors are left behind letters and emoji beyond ASCII, whose
/// spelling they are part of), \xff for a byte that is not UTF-8. Gives valid UTF-8. A backslash
/// stays as it is, so there is no way back.
std::string visible(std::string_view text);

/// Whether visible() leaves the text as it is.
bool is_visible(std::string_view text);

/// The text, cut between two characters as people see them and ended with "…" where it is wider
/// than `width`.
std::string fit(std::string_view text, std::size_t width);

}  // namespace cacheledger
