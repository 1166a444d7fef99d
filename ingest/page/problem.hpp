#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace cacheledger {

/// Throws std::invalid_argument ("6: why"): what is wrong with a line of a page.
[[noreturn]] inline void refuse_line(int line, std::string_view problem) {
    throw std::invalid_argument(fmt::format("{}: {}", line, problem));
}

/// The text, or its beginning and "..." where it is longer than so many bytes: a page can say
/// megabytes in one word. No character of UTF-8 is cut in two.
inline std::string shortened(std::string_view text, std::size_t longest) {
    if (text.size() <= longest) {
        return std::string(text);
    }
    std::size_t end = longest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) {
        --end;
    }
    return fmt::format("{}...", text.substr(0, end));
}

/// So much of a word of a page is quoted.
inline constexpr std::size_t longest_quote = 60;

}  // namespace cacheledger
