#include "schema/specs/spelling/version_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "schema/text/number.hpp"

// The parts of a key. Example: the key of "1.10-rc2" is A1B10!2A2!1.10-rc2.
//
//   A1 B10     a number: its length as a letter, then its digits
//   $beta.     a word
//   _7         a word that comes after all numbers: `develop`
//   !          the end of the release, before any part above
//   2 A2       the stage (0 to 3 for alpha, beta, rc, final) and its number
//   =main!     a git version with a version: its ref
//   ~=main!    a git version without a version; replaces all parts above
//   !1.10-rc2  the text itself
//
// At the first difference of two keys, characters have this order: ! $ = letters _ ~
namespace cacheledger {

namespace {

using Words = std::array<std::string_view, 7>;

// The words that come after all numbers, in ascending order.
constexpr Words above_numbers = {"stable", "nightly", "trunk", "head", "master", "main", "develop"};

// The stages of a prerelease in ascending order. A version without one is final.
constexpr std::array<std::string_view, 4> stages = {"alpha", "beta", "rc", "final"};
constexpr std::size_t final_stage = 3;

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// The words and numbers of a version. All other characters only separate them.
using Segments = std::vector<std::string_view>;

Segments segments_of(std::string_view text) {
    Segments segments;
    const auto* at = text.begin();
    while (at != text.end()) {
        const auto* const end = is_digit(*at)    ? std::find_if_not(at, text.end(), is_digit)
                                : is_letter(*at) ? std::find_if_not(at, text.end(), is_letter)
                                                 : at;
        if (end == at) {
            ++at;
            continue;
        }
        segments.emplace_back(at, static_cast<std::size_t>(end - at));
        at = end;
    }
    return segments;
}

bool is_number(std::string_view segment) {
    return is_digit(segment.front());
}

template <typename List>
std::optional<std::size_t> place_in(const List& list, std::string_view word) {
    const auto* const found = std::find(list.begin(), list.end(), word);
    return found == list.end() ? std::nullopt
                               : std::optional(static_cast<std::size_t>(found - list.begin()));
}

// The lengths 1 to 25 are the letters A to Y; each Z before the letter adds 25.
void append_number(std::string& key, std::string_view digits) {
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size() - 1));
    const std::size_t more = digits.size() - 1;
    key.append(more / 25, 'Z');
    key += static_cast<char>('A' + more % 25);
    key += digits;
}

void append_segment(std::string& key, std::string_view segment) {
    if (is_number(segment)) {
        append_number(key, segment);
    } else if (const auto place = place_in(above_numbers, segment)) {
        key += fmt::format("_{}", *place + 1);
    } else {
        key += fmt::format("${}.", segment);
    }
}

// How far a version is from its release: 1.2-rc3 has stage 2 and number 3.
struct Stage {
    std::size_t place = final_stage;
    std::optional<std::string_view> number;
};

// Removes the stage from the end of `segments`; at least one other segment must stay.
Stage take_stage(Segments& segments) {
    const bool numbered = !segments.empty() && is_number(segments.back());
    const std::size_t length = numbered ? 2 : 1;
    if (segments.size() > length) {
        if (const auto place = place_in(stages, segments[segments.size() - length])) {
            const Stage stage{*place, numbered ? std::optional(segments.back()) : std::nullopt};
            segments.resize(segments.size() - length);
            return stage;
        }
    }
    return {};
}

void append_stage(std::string& key, const Stage& stage) {
    key += '!';
    key += std::to_string(stage.place);
    if (stage.number) {
        append_number(key, *stage.number);
    }
}

void append_release_and_stage(std::string& key, std::string_view version) {
    Segments segments = segments_of(version);
    const Stage stage = take_stage(segments);
    for (const std::string_view segment : segments) {
        append_segment(key, segment);
    }
    append_stage(key, stage);
}

std::string next_number(std::string_view digits) {
    std::string next(digits);
    for (auto digit = next.rbegin(); digit != next.rend(); ++digit) {
        if (*digit != '9') {
            ++*digit;
            return next;
        }
        *digit = '0';
    }
    return next.insert(0, 1, '1');
}

// The word after `word` that is none of those above all numbers: letters have the order of ASCII.
std::string next_word(std::string_view word) {
    std::string next(word);
    do {
        if (next.empty() || next.back() == 'z') {
            next += 'A';
        } else {
            next.back() = next.back() == 'Z' ? 'a' : static_cast<char>(next.back() + 1);
        }
    } while (place_in(above_numbers, std::string_view(next)));
    return next;
}

void append_next_segment(std::string& key, std::string_view segment) {
    if (is_number(segment)) {
        append_number(key, next_number(segment));
    } else if (const auto place = place_in(above_numbers, segment)) {
        key += fmt::format("_{}", *place + 2);
    } else {
        append_segment(key, next_word(segment));
    }
}

// Writes any bytes as printable ASCII in the same order. It never writes '!', which ends a text and
// so puts it before all longer ones.
void append_text(std::string& key, std::string_view text) {
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte > '"' && byte < '}') {
            key += c;
        } else {
            key += fmt::format("{}{:02x}", byte < '}' ? '"' : '}', byte);
        }
    }
}

bool is_commit(std::string_view text) {
    return text.size() == 40 && std::all_of(text.begin(), text.end(), [](char c) {
               return is_digit(c) || (c >= 'a' && c <= 'f');
           });
}

constexpr std::string_view git_prefix = "git.";

bool is_git_version(std::string_view version) {
    return version.starts_with(git_prefix) || is_commit(version) ||
           version.find('=', 1) != std::string_view::npos;
}

void append_git_version(std::string& key, const GitVersion& git) {
    if (git.version) {
        append_release_and_stage(key, *git.version);
    } else {
        key += '~';
    }
    key += '=';
    append_text(key, git.ref);
}

}  // namespace

std::optional<GitVersion> parse_git_version(std::string_view version) {
    if (!is_git_version(version)) {
        return std::nullopt;
    }
    if (version.starts_with(git_prefix)) {
        version.remove_prefix(git_prefix.size());
    }
    const std::size_t equals = version.find('=');
    const bool is_range = version.find(':', equals) != std::string_view::npos;  // "main=1.2:1.3"
    GitVersion git{version.substr(0, equals), std::nullopt};
    if (equals != std::string_view::npos && !is_range) {
        git.version = version.substr(equals + 1);
    }
    return git;
}

std::string version_order_key(std::string_view version) {
    std::string key;
    append_release_and_stage(key, version);
    return key;
}

std::string version_order_key_above(std::string_view version) {
    Segments segments = segments_of(version);
    Stage stage = take_stage(segments);
    const bool next_is_of_stage = stage.place != final_stage;
    std::string key;
    for (std::size_t i = 0; i < segments.size(); ++i) {
        if (i + 1 == segments.size() && !next_is_of_stage) {
            append_next_segment(key, segments[i]);
        } else {
            append_segment(key, segments[i]);
        }
    }
    if (segments.empty()) {
        append_segment(key, next_word(""));
    }
    if (next_is_of_stage) {
        const std::string number = stage.number ? next_number(*stage.number) : "0";
        append_stage(key, {stage.place, number});
    } else {
        append_stage(key, stage);
    }
    return key;
}

std::string version_sort_key(std::string_view version) {
    std::string key;
    if (const auto git = parse_git_version(version)) {
        append_git_version(key, *git);
    } else {
        append_release_and_stage(key, version);
    }
    key += '!';
    append_text(key, version);
    return key;
}

std::string compiler_sort_key(std::string_view name, const std::optional<std::string>& version) {
    std::string key;
    append_text(key, name);
    key += '!';
    return version ? key + version_sort_key(*version) : key;
}

}  // namespace cacheledger
