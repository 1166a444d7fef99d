#include "schema/specs/queries/constrain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <utility>

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

// Whether the values of a variant that has those of `left` can be all of `right`, too.
bool can_have(const VariantQuery& left, const VariantQuery& right) {
    return !(left.is_exact || is_switch(left)) || std::ranges::includes(left.values, right.values);
}

void constrain_variant(VariantQuery& variant, const VariantQuery& more) {
    if (!can_have(variant, more) || !can_have(more, variant)) {
        refuse_both("values", variant.text(), more.text());
    }
    add_once(variant.values, more.values);
    std::ranges::sort(variant.values);
    variant.is_any = variant.is_any && more.is_any;
    variant.is_exact = variant.is_exact || more.is_exact;
    variant.is_propagated = variant.is_propagated && more.is_propagated;
}

void constrain_target(std::optional<TargetSet>& target, const std::optional<TargetSet>& more) {
    if (target && more && target->text() != more->text()) {
        refuse_both("targets", target->text(), more->text());
    }
    if (more) {
        target = more;
    }
}

// Whether a spec can depend on two of one name, with these deptypes: it has no two of them for one
// purpose, and to link and to run is one.
bool are_compatible(const std::vector<std::string>& deptypes,
                    const std::vector<std::string>& others) {
    const auto has = [](const auto& types, const std::string& type) {
        return std::ranges::find(types, type) != types.end();
    };
    const auto is_runtime = [&](const auto& types) {
        return has(types, "link") || has(types, "run");
    };
    return !(is_runtime(deptypes) && is_runtime(others)) &&
           std::ranges::none_of(deptypes, [&](const auto& type) { return has(others, type); });
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
    if (const auto both = query.version.intersection(more.version)) {
        query.version = *both;
    } else {
        refuse_both("versions", query.version.text(), more.version.text());
    }
    constrain_named(query.variants, more.variants, constrain_variant);
    constrain_named(query.flags, more.flags, [](FlagsQuery& flags, const FlagsQuery& others) {
        add_once(flags.flags, others.flags);
        flags.is_propagated = flags.is_propagated || others.is_propagated;
    });
    constrain_word("platforms", query.platform, more.platform);
    constrain_word("operating systems", query.os, more.os);
    constrain_target(query.target, more.target);
    if (!query.hash.starts_with(more.hash)) {
        if (!more.hash.starts_with(query.hash)) {
            refuse_both("hashes", query.hash, more.hash);
        }
        query.hash = more.hash;
    }
    for (const DependencyQuery& dependency : more.dependencies) {
        add_dependency(query, dependency);
    }
}

DependencyQuery* add_dependency(SpecQuery& query, DependencyQuery dependency) {
    const auto& package = dependency.spec.package;
    for (DependencyQuery& other : query.dependencies) {
        if (other.spec.package != package) {
            continue;
        }
        if (package && other.deptypes == dependency.deptypes) {
            constrain(other.spec, dependency.spec);
            add_once(other.virtuals, dependency.virtuals);
            std::ranges::sort(other.virtuals);
            return nullptr;
        }
        if (!are_compatible(other.deptypes, dependency.deptypes)) {
            refuse_both("dependencies", other.text(), dependency.text());
        }
    }
    query.dependencies.push_back(std::move(dependency));
    return &query.dependencies.back();
}

}  // namespace cacheledger
