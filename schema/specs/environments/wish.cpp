#include "schema/specs/environments/wish.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>

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

}  // namespace cacheledger
