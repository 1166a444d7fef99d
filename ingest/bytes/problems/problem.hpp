#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "schema/errors/error.hpp"

namespace cacheledger {

/// The text, or its beginning and "..." if it is longer than `longest` bytes: a page can have
/// megabytes in one word. A UTF-8 character is not cut in two.
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

/// The number of bytes of a page's word that a message quotes.
inline constexpr std::size_t longest_quote = 60;

/// What is wrong with an input, and where. Thrown at the place; the callers that know more of the
/// place add it and throw on. message() is the only function that makes one text of it.
struct Problem : std::exception {
    std::string file;         ///< how messages call it; empty if not known
    std::optional<int> line;  ///< of the file, counted from 1
    std::string place;        ///< in the line: "spec_details[3]: hash"; empty if not known
    std::string text;         ///< what was expected, or what is wrong

    Problem() = default;
    explicit Problem(std::string what_is_wrong, std::optional<int> in_line = std::nullopt)
        : line(in_line), text(std::move(what_is_wrong)) {}
    Problem(std::string_view where, std::string what_is_wrong)
        : place(where), text(std::move(what_is_wrong)) {}

    /// Puts the place into an outer one: "hash" in "spec_details[3]".
    void enter(std::string_view outer) {
        place = place.empty() ? std::string(outer) : fmt::format("{}: {}", outer, place);
    }

    /// "spec_details[3]: hash: expected ...".
    std::string in_place() const {
        return place.empty() ? text : fmt::format("{}: {}", place, text);
    }

    /// One line for the user: "FILE:6: spec_details[3]: hash: expected ...".
    std::string message() const {
        return line ? fmt::format("{}:{}: {}", file, *line, in_place())
                    : fmt::format("{}: {}", file, in_place());
    }

    const char* what() const noexcept override { return text.c_str(); }
};

/// Throws Problem.
[[noreturn]] inline void refuse_line(int line, std::string_view problem) {
    throw Problem(std::string(problem), line);
}

/// Calls `read`. A Problem that it throws without a line gets this one.
template <typename Read>
auto at_line(int line, Read read) {
    try {
        return read();
    } catch (Problem& problem) {
        problem.line = problem.line.value_or(line);
        throw;
    }
}

/// Calls `read`. A Problem that it throws becomes an InputError, which names this file.
template <typename Read>
auto at_file(const std::string& file, Read read) {
    try {
        return read();
    } catch (Problem& problem) {
        problem.file = file;
        throw InputError(problem.message());
    }
}

}  // namespace cacheledger
