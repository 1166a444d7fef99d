#include "schema/specs/constraints/spec_scanner.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schema/specs/spelling/package_name.hpp"

namespace cacheledger {

namespace {

// Of a value without quotes.
bool is_value_character(char c) {
    return is_word_character(c) || std::string_view(R"(-+*.,:=%^~/\)").find(c) != std::string::npos;
}

// The number of the character at this byte, from 1 on.
std::size_t column_of(std::string_view text, std::size_t at) {
    return 1 + characters(text.substr(0, at));
}

// The length of what stands in quotes. A quote behind a backslash does not close, unless no other
// does.
std::size_t quoted_length(std::string_view text) {
    std::size_t escaped = 0;
    for (std::size_t i = 1; i < text.size(); ++i) {
        if (text[i] == text[0]) {
            if (text[i - 1] != '\\') {
                return i + 1;
            }
            escaped = i + 1;
        }
    }
    return escaped;
}

std::string without_quotes(std::string_view quoted) {
    const char quote = quoted.front();
    const std::string_view inner = quoted.substr(1, quoted.size() - 2);
    std::string value;
    for (std::size_t i = 0; i < inner.size(); ++i) {
        const bool escapes = inner[i] == '\\' && i + 1 < inner.size() && inner[i + 1] == quote;
        value += inner[escapes ? ++i : i];
    }
    return value;
}

}  // namespace

std::size_t characters(std::string_view text) {
    return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, continues_character));
}

SpecError::SpecError(std::string_view text, std::size_t at, const std::string& problem)
    : std::invalid_argument(
          fmt::format("spec '{}', column {}: {}", text, column_of(text, at), problem)),
      column_(column_of(text, at)),
      problem_(problem) {}

void SpecScanner::skip_blanks() {
    at_ = std::min(text_.find_first_not_of(spec_blanks, at_), text_.size());
}

std::string_view SpecScanner::take(std::size_t size) {
    const std::string_view taken = text_.substr(at_, size);
    at_ += taken.size();
    return taken;
}

bool SpecScanner::take_if(std::string_view what) {
    const bool is_there = sees(what);
    at_ += is_there ? what.size() : 0;
    return is_there;
}

std::size_t SpecScanner::word_length(std::string_view more, std::size_t from) const {
    const std::string_view text = rest().substr(std::min(from, rest().size()));
    if (text.empty() || !is_word_character(text.front())) {
        return 0;
    }
    const auto* const end = std::ranges::find_if_not(text, [&](char c) {
        return is_word_character(c) || more.find(c) != std::string_view::npos;
    });
    return static_cast<std::size_t>(end - text.begin());
}

std::size_t SpecScanner::value_length(std::size_t from) const {
    const std::string_view text = rest().substr(std::min(from, rest().size()));
    if (text.starts_with('"') || text.starts_with('\'')) {
        return quoted_length(text);
    }
    const auto* const end = std::ranges::find_if_not(text, is_value_character);
    return static_cast<std::size_t>(end - text.begin());
}

std::string SpecScanner::take_value() {
    const std::size_t begin = at_;
    const std::size_t length = value_length(0);
    if (length == 0) {
        fail(sees_any("\"'") ? "a closing quote" : "a value");
    }
    const std::string_view taken = take(length);
    if (taken.front() != '"' && taken.front() != '\'') {
        return std::string(taken);
    }
    std::string value = without_quotes(taken);
    if (value.ends_with('\\')) {
        fail_at(begin, "expected a value in quotes that does not end with a backslash");
    }
    return value;
}

std::string SpecScanner::take_value(std::string_view more) {
    if (sees_any("\"'")) {
        return take_value();
    }
    const auto* const end = std::ranges::find_if_not(rest(), [&](char c) {
        return is_word_character(c) || more.find(c) != std::string_view::npos;
    });
    const auto length = static_cast<std::size_t>(end - rest().begin());
    if (length == 0) {
        fail("a value");
    }
    return std::string(take(length));
}

void SpecScanner::fail(std::string_view expected) const {
    const std::string_view word = first_word(rest());
    fail_at(at_, word.empty() ? fmt::format("expected {}", expected)
                              : fmt::format("expected {}, found '{}'", expected, word));
}

}  // namespace cacheledger
