#include "schema/specs/environments/wish.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "schema/specs/queries/spec_parser.hpp"

namespace cacheledger {

namespace {

using ConditionJson = nlohmann::ordered_json;

const char* key_of(const WishCondition& condition) {
    if (condition.is_preference) {
        return "prefer";
    }
    switch (condition.mode) {
        case WishCondition::Mode::any_of:
            return "any_of";
        case WishCondition::Mode::one_of:
            return "one_of";
        case WishCondition::Mode::all_of:
            break;
    }
    return "require";
}

SpecQuery spec_of_json(const ConditionJson& value) {
    return parse_spec(value.get<std::string>());
}

WishCondition condition_of(const ConditionJson& value) {
    WishCondition condition;
    for (const auto& [key, one] : value.items()) {
        if (key == "when") {
            condition.when = spec_of_json(one);
            continue;
        }
        if (key == "of") {
            condition.is_of_all = one == "all";
            continue;
        }
        condition.is_preference = key == "prefer";
        condition.mode = key == "any_of"   ? WishCondition::Mode::any_of
                         : key == "one_of" ? WishCondition::Mode::one_of
                                           : WishCondition::Mode::all_of;
        if (condition.mode == WishCondition::Mode::all_of && !condition.is_preference &&
            key != "require") {
            throw std::invalid_argument("expected a condition, found '" + key + "'");
        }
        for (const ConditionJson& spec : one.is_array() ? one : ConditionJson::array({one})) {
            condition.specs.push_back(spec_of_json(spec));
        }
    }
    if (condition.specs.empty()) {
        throw std::invalid_argument("expected a condition with a spec");
    }
    return condition;
}

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

std::string conditions_text(const std::vector<WishCondition>& conditions) {
    ConditionJson all = ConditionJson::array();
    for (const WishCondition& condition : conditions) {
        ConditionJson specs = ConditionJson::array();
        for (const SpecQuery& spec : condition.specs) {
            specs.push_back(spec.text());
        }
        const bool is_one =
            condition.mode == WishCondition::Mode::all_of && condition.specs.size() == 1;
        ConditionJson one;
        one[key_of(condition)] = is_one ? specs[0] : specs;
        if (condition.when) {
            one["when"] = condition.when->text();
        }
        if (condition.is_of_all) {
            one["of"] = "all";
        }
        all.push_back(std::move(one));
    }
    return all.dump(-1, ' ', false, ConditionJson::error_handler_t::replace);
}

std::vector<WishCondition> parse_conditions(std::string_view json) {
    try {
        std::vector<WishCondition> conditions;
        const ConditionJson all = ConditionJson::parse(json);
        if (!all.is_array()) {
            throw std::invalid_argument("expected an array of conditions");
        }
        for (const ConditionJson& one : all) {
            conditions.push_back(condition_of(one));
        }
        return conditions;
    } catch (const ConditionJson::exception& error) {
        throw std::invalid_argument(error.what());
    }
}

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
