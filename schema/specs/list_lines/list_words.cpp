#include "schema/specs/list_lines/list_words.hpp"

#include <algorithm>

#include "schema/specs/constraints/spec_scanner.hpp"
#include "schema/text/characters.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t short_hash = 7;

bool is_of_base32(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '2' && c <= '7');
}

bool ends_word(std::string_view text, std::size_t length) {
    return text.size() <= length || is_blank(text[length]);
}

}  // namespace

bool is_blank(char c) {
    return spec_blanks.find(c) != std::string_view::npos;
}

std::string_view first_word(std::string_view text) {
    return text.substr(0, text.find_first_of(spec_blanks));
}

bool is_short_hash(std::string_view word) {
    return word.size() == short_hash && std::ranges::all_of(word, is_of_base32);
}

bool has_digit_within(std::string_view word) {
    return !word.empty() && std::ranges::any_of(word.substr(0, word.size() - 1), is_digit);
}

bool is_dashes(std::string_view word) {
    return word.size() >= short_hash && word.find_first_not_of('-') == std::string_view::npos;
}

std::size_t mark_length(std::string_view text) {
    constexpr std::size_t in_brackets = 3;
    if (text.starts_with('-')) {
        return ends_word(text, 1) ? 1 : 0;
    }
    const bool is_mark = text.size() >= in_brackets && text[0] == '[' && text[2] == ']' &&
                         !is_blank(text[1]) && ends_word(text, in_brackets);
    return is_mark ? in_brackets : 0;
}

std::size_t types_length(std::string_view text) {
    constexpr std::size_t least = 5;
    constexpr std::size_t most = 6;  // test dependencies came later
    const std::size_t close = text.substr(0, most).find(']');
    if (!text.starts_with('[') || close == std::string_view::npos || close + 1 < least ||
        !ends_word(text, close + 1)) {
        return 0;
    }
    const bool is_types =
        text.substr(1, close - 1).find_first_not_of("blrt -") == std::string_view::npos;
    return is_types ? close + 1 : 0;
}

bool begins_with_name(std::string_view text) {
    const std::size_t length = SpecScanner(text).word_length("-.");
    const std::string_view behind = text.substr(length);
    return length > 0 && !behind.starts_with('=') && !behind.starts_with(":=");
}

bool begins_with_version(std::string_view text) {
    return begins_with_name(text) && text.substr(SpecScanner(text).word_length("-."), 1) == "@";
}

bool is_path(std::string_view text, bool is_no_hash) {
    return text.starts_with('/') &&
           (is_no_hash || first_word(text).find('/', 1) != std::string_view::npos);
}

bool expects_more(char c) {
    return std::string_view("@%^+~,=").find(c) != std::string_view::npos;
}

std::size_t yaml_quoted_length(std::string_view text) {
    if (!text.starts_with('\'') && !text.starts_with('"')) {
        return 0;
    }
    const char quote = text.front();
    for (std::size_t i = 1; i < text.size(); ++i) {
        const bool is_escape = quote == '"' && text[i] == '\\';
        if (is_escape || (quote == '\'' && text.substr(i, 2) == "''")) {
            ++i;
        } else if (text[i] == quote) {
            return i + 1;
        }
    }
    return 0;
}

std::string without_yaml_quotes(std::string_view quoted) {
    const bool is_double = quoted.front() == '"';
    const std::string_view inner = quoted.substr(1, quoted.size() - 2);
    std::string text;
    for (std::size_t i = 0; i < inner.size(); ++i) {
        const bool escapes = inner[i] == (is_double ? '\\' : '\'') && i + 1 < inner.size();
        text += inner[escapes ? ++i : i];
    }
    return text;
}

}  // namespace cacheledger
