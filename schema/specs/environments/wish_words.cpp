#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <string>
#include <vector>

#include "schema/specs/environments/wish.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t most_words = 20;  // there may be thousands, for thousands of specs

// `conflict` is one of it and everything (schema/specs/environments/packages_section.cpp).
bool is_conflict(const WishCondition& condition) {
    return condition.mode == WishCondition::Mode::one_of && condition.specs.size() == 2 &&
           condition.specs.back() == SpecQuery();
}

std::string words_without_when(const WishCondition& condition) {
    if (is_conflict(condition)) {
        return fmt::format("conflicts with {}", condition.specs.front().text());
    }
    std::vector<std::string> texts;
    for (const SpecQuery& spec : condition.specs) {
        if (texts.size() == most_words) {
            texts.push_back(fmt::format("{} more", condition.specs.size() - most_words));
            break;
        }
        texts.push_back(spec.text());
    }
    switch (condition.mode) {
        case WishCondition::Mode::any_of:
            return fmt::format("any of: {}", fmt::join(texts, ", "));
        case WishCondition::Mode::one_of:
            return fmt::format("one of: {}", fmt::join(texts, ", "));
        case WishCondition::Mode::all_of:
            break;
    }
    return fmt::format("{}", fmt::join(texts, " "));
}

std::string words_of_condition(const WishCondition& condition) {
    const std::string words = words_without_when(condition);
    return condition.when ? fmt::format("{} when {}", words, condition.when->text()) : words;
}

}  // namespace

bool is_plain(const WishCondition& condition) {
    return condition.mode == WishCondition::Mode::all_of && !condition.when &&
           !condition.is_preference;
}

std::string words_of_requirements(const std::vector<WishCondition>& conditions) {
    std::vector<std::string> plain;
    std::vector<std::string> others;
    std::size_t more = 0;
    for (const WishCondition& condition : conditions) {
        if (plain.size() + others.size() == most_words) {
            more += condition.is_preference ? 0 : 1;
        } else if (!condition.is_preference) {
            (is_plain(condition) ? plain : others).push_back(words_of_condition(condition));
        }
    }
    if (!plain.empty()) {
        others.insert(others.begin(), fmt::format("{}", fmt::join(plain, " ")));
    }
    if (more > 0) {
        others.push_back(fmt::format("{} more", more));
    }
    return fmt::format("{}", fmt::join(others, "; "));
}

}  // namespace cacheledger
