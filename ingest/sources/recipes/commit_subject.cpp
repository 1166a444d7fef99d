#include "ingest/sources/recipes/commit_subject.hpp"

#include <algorithm>
#include <cstdint>

namespace cacheledger {

namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd";  // U+FFFD

struct Character {
    std::size_t bytes = 1;
    bool is_valid = false;
    bool is_control = false;
};

// The character that the text begins with; a byte that is not UTF-8 is one, too.
Character first_character(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(0);
    if (first < 0x80U) {
        return {1, true, first < 0x20U || first == 0x7fU};
    }
    const std::size_t bytes = first >= 0xf0U ? 4 : first >= 0xe0U ? 3 : 2;
    if (first < 0xc2U || first > 0xf4U || text.size() < bytes) {
        return {};
    }
    std::uint32_t code = first & (0xffU >> (bytes + 1));
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xc0U) != 0x80U) {
            return {};
        }
        code = code << 6U | (byte(i) & 0x3fU);
    }
    constexpr std::uint32_t smallest_of_3 = 0x800;
    constexpr std::uint32_t smallest_of_4 = 0x10000;
    const bool is_short =
        (bytes == 3 && code < smallest_of_3) || (bytes == 4 && code < smallest_of_4);
    const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
    if (is_short || is_surrogate || code > 0x10ffff) {
        return {};
    }
    return {bytes, true, code < 0xa0};
}

bool is_part_of_address(char c) {
    return c != ' ' && c != '\t' && c != '<' && c != '>' && c != '(' && c != ')' && c != ',';
}

// Removes "<name@host>": nothing else in angle brackets has an '@'.
void remove_addresses(std::string& text) {
    for (std::size_t begin = text.find('<'); begin != std::string::npos;
         begin = text.find('<', begin)) {
        const auto end = std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(begin) + 1,
                                          text.end(), is_part_of_address);
        const auto at = std::find(text.begin() + static_cast<std::ptrdiff_t>(begin), end, '@');
        if (end == text.end() || *end != '>' || at == end) {
            ++begin;
            continue;
        }
        text.erase(text.begin() + static_cast<std::ptrdiff_t>(begin), end + 1);
    }
}

// GitHub writes "Merge pull request #1 from NAME/branch".
std::string_view without_name_of_merge(std::string_view line) {
    constexpr std::string_view merge = "Merge pull request #";
    const std::size_t end = line.starts_with(merge) ? line.find(" from ") : std::string_view::npos;
    return line.substr(0, std::min(end, line.size()));
}

}  // namespace

std::string clean_subject(std::string_view line) {
    std::string plain(without_name_of_merge(line));
    remove_addresses(plain);
    std::string subject;
    std::size_t characters = 0;
    for (std::string_view rest = plain; !rest.empty() && characters < most_subject_characters;) {
        const Character next = first_character(rest);
        if (rest.front() == '\t') {
            subject += ' ';
            ++characters;
        } else if (!next.is_control) {
            subject += next.is_valid ? rest.substr(0, next.bytes) : replacement;
            ++characters;
        }
        rest.remove_prefix(next.bytes);
    }
    while (subject.ends_with(' ')) {
        subject.pop_back();
    }
    return subject;
}

}  // namespace cacheledger
