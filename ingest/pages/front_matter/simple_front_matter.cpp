#include "ingest/pages/front_matter/simple_front_matter.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace cacheledger {

namespace {

bool is_letter_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// A text that means itself in YAML, with quotes or without: zlib, v0.18.0, py-3to2. Not `null`,
// which is no text.
std::optional<std::string_view> plain_word(std::string_view text) {
    const bool quoted = text.size() > 2 && text.front() == '"' && text.back() == '"';
    const std::string_view word = quoted ? text.substr(1, text.size() - 2) : text;
    if (word.empty() || !is_letter_or_digit(word.front()) ||
        !std::all_of(word.begin(), word.end(), [](char c) {
            return is_letter_or_digit(c) || c == '-' || c == '_' || c == '.';
        })) {
        return std::nullopt;
    }
    if (word.size() == 4 && (word == "null" || word == "Null" || word == "NULL")) {
        return std::nullopt;
    }
    return word;
}

// The two texts of "[package, develop]".
std::optional<std::pair<std::string_view, std::string_view>> plain_pair(std::string_view text) {
    const std::size_t comma = text.find(", ");
    if (comma == std::string_view::npos || !text.starts_with('[') || !text.ends_with(']')) {
        return std::nullopt;
    }
    const auto first = plain_word(text.substr(1, comma - 1));
    const auto second = plain_word(text.substr(comma + 2, text.size() - comma - 3));
    return first && second ? std::optional(std::pair(*first, *second)) : std::nullopt;
}

bool read_line(std::string_view key, std::string_view value, FrontMatter& page) {
    if (key == "categories") {
        const auto categories = plain_pair(value);
        if (!categories || categories->first != "package") {
            return false;
        }
        page.is_page = true;
        page.tag = categories->second;
        return true;
    }
    const auto word = plain_word(value);
    if (word && key == "title") {
        page.title = *word;
        return true;
    }
    if (word == "cache" && key == "layout") {
        page.is_page = true;
        return true;
    }
    return false;
}

}  // namespace

bool read_simple_front_matter(std::string_view lines, FrontMatter& page) {
    FrontMatter read = page;
    std::set<std::string_view> keys;
    while (!lines.empty()) {
        const std::size_t end = std::min(lines.find('\n'), lines.size());
        const std::string_view line = lines.substr(0, end);
        lines.remove_prefix(std::min(end + 1, lines.size()));
        if (line.empty()) {
            continue;
        }
        const std::size_t colon = line.find(": ");
        if (colon == std::string_view::npos || !keys.insert(line.substr(0, colon)).second ||
            !read_line(line.substr(0, colon), line.substr(colon + 2), read)) {
            return false;
        }
    }
    page = std::move(read);
    return true;
}

}  // namespace cacheledger
