#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace cacheledger {

/// What is wrong with a page, or with a file that belongs to it. what() says what was expected.
class Problem : public std::invalid_argument {
  public:
    /// `line`: where it is in the file, counted from 1, as far as that is known.
    explicit Problem(const std::string& text, std::optional<int> line = std::nullopt)
        : std::invalid_argument(text), line_(line) {}

    const std::optional<int>& line() const { return line_; }

    /// One line for the user: "FILE:6: expected ...".
    std::string message(std::string_view file) const {
        return line_ ? fmt::format("{}:{}: {}", file, *line_, what())
                     : fmt::format("{}: {}", file, what());
    }

  private:
    std::optional<int> line_;
};

/// Throws Problem.
[[noreturn]] inline void refuse_line(int line, std::string_view problem) {
    throw Problem(std::string(problem), line);
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
