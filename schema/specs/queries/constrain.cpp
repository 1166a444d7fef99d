#include "schema/specs/queries/constrain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>

namespace cacheledger {

namespace {

[[noreturn]] void refuse_both(std::string_view what, const std::string& one,
                              const std::string& other) {
    throw std::invalid_argument(fmt::format("asks for two {}, {} and {}", what, one, other));
}

void add_once(std::vector<std::string>& values, const std::vector<std::string>& more) {
    for (const std::string& value : more) {
        if (std::ranges::find(values, value) == values.end()) {
            values.push_back(value);
        }
    }
}

void constrain_word(std::string_view what, std::optional<std::string>& word,
                    const std::optional<std::string>& more) {
    if (word && more && *word != *more) {
        refuse_both(what, *word, *more);
    }
    if (more) {
        word = more;
    }
}

bool is_switch(const VariantQuery& variant) {
    return variant.values.size() == 1 && !variant.is_any &&
           (variant.values[0] == "true" || variant.values[0] == "false");
}

void constrain_variant(VariantQuery& variant, const VariantQuery& more) {
    if (more.is_any || variant.text() == more.text()) {
        return;
    }
    if (variant.is_any) {
        variant = more;
        return;
    }
    const bool are_alike = variant.values == more.values;
    if (!are_alike &&
        (variant.is_exact || more.is_exact || is_switch(variant) || is_switch(more))) {
        refuse_both("values", variant.text(), more.text());
    }
    add_once(variant.values, more.values);
    std::ranges::sort(variant.values);
    variant.is_exact = variant.is_exact || more.is_exact;
    variant.is_propagated = variant.is_propagated || more.is_propagated;
}

void constrain_target(std::optional<TargetSet>& target, const std::optional<TargetSet>& more) {
    if (target && more && target->text() != more->text()) {
        refuse_both("targets", target->text(), more->text());
    }
    if (more) {
        target = more;
    }
}

// Adds those of `more` to what is sorted by name. `both`: what becomes of one that both have.
template <typename Named, typename Both>
void constrain_named(std::vector<Named>& all, const std::vector<Named>& more, const Both& both) {
    for (const Named& one : more) {
        const auto place = std::ranges::lower_bound(all, one.name, {}, &Named::name);
        if (place == all.end() || place->name != one.name) {
            all.insert(place, one);
        } else {
            both(*place, one);
        }
    }
}

}  // namespace

void constrain(SpecQuery& query, const SpecQuery& more) {
    constrain_word("packages", query.package, more.package);
    constrain_word("namespaces", query.name_space, more.name_space);
    if (!query.version.allows_all() && !more.version.allows_all() &&
        query.version.text() != more.version.text()) {
        refuse_both("versions", query.version.text(), more.version.text());
    }
    if (!more.version.allows_all()) {
        query.version = more.version;
    }
    constrain_named(query.variants, more.variants, constrain_variant);
    constrain_named(query.flags, more.flags, [](FlagsQuery& flags, const FlagsQuery& others) {
        add_once(flags.flags, others.flags);
        flags.is_propagated = flags.is_propagated || others.is_propagated;
    });
    constrain_word("platforms", query.platform, more.platform);
    constrain_word("operating systems", query.os, more.os);
    constrain_target(query.target, more.target);
    if (!query.hash.empty() && !more.hash.empty() && query.hash != more.hash) {
        refuse_both("hashes", query.hash, more.hash);
    }
    query.hash = more.hash.empty() ? query.hash : more.hash;
    for (const DependencyQuery& dependency : more.dependencies) {
        const bool is_there = std::ranges::any_of(
            query.dependencies,
            [&](const DependencyQuery& other) { return other.text() == dependency.text(); });
        if (!is_there) {
            query.dependencies.push_back(dependency);
        }
    }
}

}  // namespace cacheledger
