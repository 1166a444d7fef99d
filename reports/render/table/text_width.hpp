#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

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

/// The text in lines of at most `width` columns; joined, they are the text again. A line ends after
/// a blank, comma, semicolon or slash. A word that is wider than a line is broken after another
/// mark, such as - or _, else between characters as people see them. Blanks at the end of a line
/// may lie beyond the width. A character that is wider than `width` stays whole. Each text has at
/// least one line.
std::vector<std::string> fold(std::string_view text, std::size_t width);

/// The text as lines of a terminal that is `width` columns wide, each with its end, broken between
/// words. Words are never broken. `width` 0: one line.
std::string paragraph(std::string_view text, std::size_t width);

/// The lines, in bold if there is `color`. Each ends with \n.
std::string bold_lines(const std::string& lines, bool color);

/// The width of the widest word: fold() breaks no word if the lines are at least as wide.
std::size_t widest_word(std::string_view text);

}  // namespace cacheledger
