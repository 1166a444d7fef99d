#include "reports/questions/keep/keep_rule.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>
#include <vector>

#include "schema/errors/error.hpp"
#include "schema/ledger/names/moment.hpp"
#include "schema/text/number.hpp"

namespace cacheledger {

const char* const keep_rules =
    "'seen within 14 days', 'newest 3', 'newest 2 of v0.23.1' or 'stack e4s'";

namespace {

using Words = std::vector<std::string>;

Words words_of_text(const std::string& text) {
    std::istringstream in(text);
    Words words;
    for (std::string word; in >> word;) {
        words.push_back(word);
    }
    return words;
}

std::string joined(const Words& words, std::size_t first) {
    return fmt::format(
        "{}", fmt::join(words.begin() + static_cast<std::ptrdiff_t>(first), words.end(), " "));
}

[[noreturn]] void refuse(const std::string& text, const char* expected) {
    throw UsageError(fmt::format("--keep '{}': expected {}", text, expected));
}

bool begins_with(const Words& words, std::initializer_list<std::string_view> beginning) {
    return words.size() >= beginning.size() &&
           std::equal(beginning.begin(), beginning.end(), words.begin());
}

KeepRule read_seen(const std::string& text, const std::string& age) {
    const bool is_number = !age.empty() && age.front() >= '0' && age.front() <= '9';
    const auto begin = is_number ? parse_past(age + " ago", now()) : std::nullopt;
    if (!begin) {
        refuse(text, "an age, such as 'seen within 14 days' or 'seen within 3 months'");
    }
    return {KeepRule::Kind::seen, "seen within " + age, age, 0, {}};
}

KeepRule read_newest(const std::string& text, const Words& words) {
    constexpr const char* expected =
        "a number of snapshots, such as 'newest 3' or 'newest 2 of v0.23.1'";
    const auto count = words.size() > 1 ? parse_number<std::int64_t>(words[1]) : std::nullopt;
    const bool has_name = words.size() == 4 && words[2] == "of";
    if (!count || *count < 1 || (words.size() != 2 && !has_name)) {
        refuse(text, expected);
    }
    return {KeepRule::Kind::newest, joined(words, 0), {}, *count, has_name ? words[3] : ""};
}

}  // namespace

std::optional<KeepRule> read_keep_rule(const std::string& text) {
    const Words words = words_of_text(text);
    if (begins_with(words, {"seen", "within"})) {
        return read_seen(text, joined(words, 2));
    }
    if (begins_with(words, {"not", "seen", "for"})) {
        return read_seen(text, joined(words, 3));
    }
    constexpr std::array rule_words = {"seen", "not", "newest", "stack"};
    if (words.size() < 2 || std::ranges::find(rule_words, words[0]) == rule_words.end()) {
        return std::nullopt;
    }
    if (words[0] == "newest") {
        return read_newest(text, words);
    }
    if (words[0] == "stack") {
        return KeepRule{KeepRule::Kind::stack, joined(words, 0), {}, 0, joined(words, 1)};
    }
    refuse(text, keep_rules);
}

}  // namespace cacheledger
