#include "ingest/sources/recipes/recipe_versions.hpp"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>

#include "schema/text/number.hpp"

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

// A word of a subject, without what ends it.
struct SubjectWord {
    std::string_view text;
    bool has_comma = false;  // a ',' or a ';' follows
};

std::vector<SubjectWord> words_of_subject(std::string_view subject) {
    std::vector<SubjectWord> words;
    while (!subject.empty()) {
        const std::size_t begin = std::min(subject.find_first_not_of(' '), subject.size());
        subject.remove_prefix(begin);
        std::string_view word = subject.substr(0, subject.find(' '));
        subject.remove_prefix(word.size());
        if (word.empty() || word.front() == '(') {
            break;  // "(#1234)"
        }
        SubjectWord found{word};
        while (word.ends_with(',') || word.ends_with(';')) {
            found.has_comma = true;
            word.remove_suffix(1);
        }
        found.text = word;
        words.push_back(found);
    }
    return words;
}

// "v1.2" or, where it may have no v, "1.2": digits and dots, with one dot at least.
std::optional<std::string> version_of_word(std::string_view word, bool needs_v) {
    const bool has_v = word.starts_with('v') || word.starts_with('V');
    word.remove_prefix(has_v ? 1 : 0);
    const bool is_good =
        (has_v || !needs_v) && !word.empty() && is_digit(word.front()) && is_digit(word.back()) &&
        word.find('.') != std::string_view::npos && word.find("..") == std::string_view::npos &&
        std::all_of(word.begin(), word.end(), [](char c) { return is_digit(c) || c == '.'; });
    return is_good ? std::optional(std::string(word)) : std::nullopt;
}

bool is_any_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

std::string in_lower_case(std::string_view text) {
    std::string lower(text);
    for (char& c : lower) {
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c == '_' ? '-' : c;
    }
    return lower;
}

// The list that begins with the word at `begin`; nothing if it does not end as a list does.
std::vector<std::string> list_of_versions(const std::vector<SubjectWord>& words, std::size_t begin,
                                          bool needs_v) {
    std::vector<std::string> versions;
    for (std::size_t i = begin; i < words.size(); ++i) {
        if (const auto version = version_of_word(words[i].text, needs_v)) {
            versions.push_back(*version);
            continue;
        }
        if (versions.empty()) {
            return {};
        }
        const bool is_followed =
            i + 1 < words.size() && version_of_word(words[i + 1].text, needs_v);
        if (is_followed && is_any_of(words[i].text, {"and", "&", "to", "through"})) {
            continue;
        }
        const bool is_end =
            words[i - 1].has_comma || is_any_of(words[i].text, {"and", "&", "with"});
        return is_end ? versions : std::vector<std::string>();
    }
    return versions;
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

std::vector<std::string> versions_of_subject(std::string_view subject, std::string_view package) {
    const std::string lower = in_lower_case(subject);
    const std::vector<SubjectWord> words = words_of_subject(lower);
    const std::string name = in_lower_case(package);
    const auto names_package = [&](const SubjectWord& word) {
        return word.text == name ||
               (word.text.ends_with(':') && word.text.substr(0, word.text.size() - 1) == name);
    };
    const auto about = std::find_if(words.begin(), words.end(), names_package);
    const auto colon = std::find_if(words.begin(), words.end(), [](const SubjectWord& word) {
        return word.text.ends_with(':');
    });
    if (about == words.end() || (colon != words.end() && colon != words.begin()) ||
        (colon != words.end() && about != colon)) {
        return {};
    }
    std::size_t i = colon == words.end() ? 0 : 1;
    const std::size_t begin = i;
    bool has_version = false;
    while (i < words.size() &&
           (is_any_of(words[i].text, {"add", "new", "package", "the", "latest", "release"}) ||
            names_package(words[i]) || is_any_of(words[i].text, {"version", "versions"}))) {
        has_version = is_any_of(words[i].text, {"version", "versions"});
        ++i;
    }
    const bool is_alone = i == begin && colon != words.end();  // "caliper: v2.15.0"
    const bool is_added = i > begin && is_any_of(words[i - 1].text, {"add", "version", "versions"});
    if (!is_alone && !is_added && !(i > begin && names_package(words[i - 1]))) {
        return {};
    }
    return list_of_versions(words, i, !has_version && !(i > begin && words[i - 1].text == "add"));
}

}  // namespace cacheledger
