#include "schema/specs/matching/difference.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "schema/specs/matching/match.hpp"
#include "schema/specs/spelling/variants.hpp"

namespace cacheledger {

namespace {

using Word = std::optional<std::string>;
using Values = std::vector<std::string>;

bool differ(const Word& wanted, const Word& there) {
    return wanted && there && *wanted != *there;
}

std::string change(std::string_view what, const std::string& from, const std::string& to) {
    return fmt::format("{}: {} -> {}", what, from, to);
}

// Adds a word if both are known and differ.
void compare(Difference& difference, Difference::Part part, std::string_view what,
             const Word& wanted, const Word& there) {
    if (differ(wanted, there)) {
        difference.distance.at(part) = 1;
        difference.words.push_back(change(what, *wanted, *there));
    }
}

// A build for another family is told apart from one that only may not run.
std::string change_of_target(const std::string& wanted, const std::string& there, TargetFit fit) {
    std::string text = change("target", wanted, there);
    if (fit == TargetFit::other_family) {
        text += " (another family)";
    } else if (fit == TargetFit::may_not_run) {
        text += " (may not run there)";
    }
    return text;
}

void add_target(Difference& difference, const std::string& wanted, const std::string& there,
                TargetFit fit) {
    if (fit != TargetFit::same) {
        difference.distance[Difference::family] = fit == TargetFit::other_family ? 1 : 0;
        difference.distance[Difference::target] =
            static_cast<std::uint32_t>(std::min(fit, TargetFit::may_not_run));
        difference.words.push_back(change_of_target(wanted, there, fit));
    }
}

// Adds a word for what makes no distance.
void say(Difference& difference, std::string_view what, const Word& wanted, const Word& there) {
    if (differ(wanted, there)) {
        difference.words.push_back(change(what, *wanted, *there));
    }
}

std::string value_text(const Values* values) {
    return values == nullptr ? "(none)" : fmt::format("{}", fmt::join(*values, ","));
}

bool is_boolean(const Values* values) {
    return values != nullptr && (*values == Values{"true"} || *values == Values{"false"});
}

std::string change_of_variant(const std::string& name, const Values* from, const Values* to) {
    return is_boolean(from) && is_boolean(to) ? variant_text(name, *to)
                                              : change(name, value_text(from), value_text(to));
}

// Patches count elsewhere, and pages and nodes of some years do not have build_system.
bool counts(const std::string& name, const Values* wanted, const Values* there) {
    const bool is_on_one_side = wanted == nullptr || there == nullptr;
    return name != "patches" && !(name == "build_system" && is_on_one_side);
}

void compare_variants(Difference& difference, const VariantSet& wanted, const VariantSet& there) {
    std::set<std::string> names;
    for (const VariantSet* set : {&wanted, &there}) {
        for (const Variant& variant : set->variants) {
            names.insert(variant.name);
        }
    }
    for (const std::string& name : names) {
        const auto* const from = values_of(wanted, name);
        const auto* const to = values_of(there, name);
        const bool same = from != nullptr && to != nullptr && *from == *to;
        if (!same && counts(name, from, to)) {
            ++difference.distance.at(Difference::variants);
            difference.words.push_back(change_of_variant(name, from, to));
        }
    }
}

// The patches of a spec in one order, from its node or else from its variants.
Word patches_of(const SpecWords& spec, const std::optional<VariantSet>& variants) {
    if (spec.patches || !variants) {
        return spec.patches;
    }
    const auto* const values = values_of(*variants, "patches");
    return values == nullptr ? "" : fmt::format("{}", fmt::join(*values, " "));
}

std::optional<VariantSet> variants_of(const SpecWords& spec) {
    return spec.variants ? std::optional(parse_variant_text(*spec.variants)) : std::nullopt;
}

// Adds a word unless the answer is yes.
void judge(Difference& difference, Difference::Part part, Answer answer, std::string_view what,
           const std::string& wanted, const Word& there) {
    if (answer == Answer::yes) {
        return;
    }
    if (answer == Answer::no) {
        ++difference.distance.at(part);
    }
    difference.words.push_back(change(what, wanted, there.value_or("not known")));
}

void judge_system(Difference& difference, const SpecQuery& wanted, const SpecWords& spec) {
    SpecQuery one;
    one.platform = wanted.platform;
    judge(difference, Difference::system, matches_system(one, spec.platform, {}, {}), "platform",
          wanted.platform.value_or(""), spec.platform);
    one = {};
    one.os = wanted.os;
    judge(difference, Difference::system, matches_system(one, {}, spec.os, {}), "os",
          wanted.os.value_or(""), spec.os);
    difference.distance[Difference::system] =
        std::min(difference.distance[Difference::system], std::uint32_t{1});
    if (wanted.target && spec.target) {
        add_target(difference, wanted.target->text(), *spec.target,
                   wanted.target->fit(*spec.target));
    } else if (wanted.target) {
        difference.words.push_back(change("target", wanted.target->text(), "not known"));
    }
}

void judge_variants(Difference& difference, const SpecQuery& wanted,
                    const std::optional<VariantSet>& variants) {
    for (const VariantQuery& asked : wanted.variants) {
        if (asked.name == "patches") {
            continue;
        }
        const auto* const values = variants ? values_of(*variants, asked.name) : nullptr;
        const Values any = {"*"};
        if (!variants) {
            difference.words.push_back(change("variants", asked.text(), "not known"));
        } else if (!has_values(asked, values)) {
            ++difference.distance.at(Difference::variants);
            difference.words.push_back(
                change_of_variant(asked.name, asked.is_any ? &any : &asked.values, values));
        }
    }
}

// Those that ask for a compiler, or the others.
void judge_dependencies(Difference& difference, const SpecQuery& wanted,
                        const std::vector<DependencyAnswer>& dependencies, bool compilers) {
    for (std::size_t i = 0; i < wanted.dependencies.size(); ++i) {
        if (wanted.dependencies[i].asks_compiler() != compilers ||
            dependencies[i].answer == Answer::yes) {
            continue;
        }
        if (dependencies[i].answer == Answer::no) {
            ++difference.distance.at(compilers ? Difference::compiler : Difference::dependencies);
        }
        difference.words.push_back(dependencies[i].words);
    }
    difference.distance[Difference::compiler] =
        std::min(difference.distance[Difference::compiler], std::uint32_t{1});
}

// "-O2 -g", or "(none)".
std::string text_or_none(const std::string& text) {
    return text.empty() ? "(none)" : text;
}

void judge_flags(Difference& difference, const SpecQuery& wanted, const SpecWords& spec,
                 const std::optional<VariantSet>& variants) {
    for (const FlagsQuery& asked : wanted.flags) {
        SpecQuery one;
        one.flags = {asked};
        judge(difference, Difference::flags_or_patches, matches_recipe(one, {}, spec.flags),
              asked.name, fmt::format("{}", fmt::join(asked.flags, " ")),
              spec.flags ? std::optional(text_or_none(flags_text(*spec.flags, asked.name)))
                         : std::nullopt);
    }
    for (const VariantQuery& asked : wanted.variants) {
        if (asked.name == "patches") {
            const Word patches = patches_of(spec, variants);
            judge(difference, Difference::flags_or_patches,
                  matches_patches(wanted, variants, spec.patches), "patches",
                  value_text(&asked.values),
                  patches ? std::optional(text_or_none(*patches)) : std::nullopt);
        }
    }
    difference.distance[Difference::flags_or_patches] =
        std::min(difference.distance[Difference::flags_or_patches], std::uint32_t{1});
}

}  // namespace

Difference difference(const SpecWords& wanted, const SpecWords& spec) {
    Difference all;
    all.hash = spec.hash;
    compare(all, Difference::system, "platform", wanted.platform, spec.platform);
    compare(all, Difference::system, "os", wanted.os, spec.os);
    if (differ(wanted.target, spec.target)) {
        add_target(all, *wanted.target, *spec.target, fit_of(*wanted.target, *spec.target));
    }
    compare(all, Difference::version, "version", wanted.version, spec.version);
    const auto wanted_variants = variants_of(wanted);
    const auto variants = variants_of(spec);
    if (wanted_variants && variants) {
        compare_variants(all, *wanted_variants, *variants);
    }
    compare(all, Difference::compiler, "compiler", wanted.compiler, spec.compiler);
    const auto compare_text = [&](Difference::Part part, const char* what, const Word& from,
                                  const Word& to) {
        if (differ(from, to)) {
            all.distance.at(part) = 1;
            all.words.emplace_back(what);
        }
    };
    if (differ(wanted.flags, spec.flags)) {
        all.distance[Difference::flags_or_patches] = 1;
        all.words.push_back(
            change("flags", text_or_none(*wanted.flags), text_or_none(*spec.flags)));
    }
    compare_text(Difference::flags_or_patches, "patches", patches_of(wanted, wanted_variants),
                 patches_of(spec, variants));
    compare_text(Difference::recipe, "recipe", wanted.package_hash, spec.package_hash);
    say(all, "namespace", wanted.name_space, spec.name_space);
    say(all, "external", wanted.external, spec.external);
    say(all, "spliced", wanted.spliced, spec.spliced);
    return all;
}

DependencyAnswer answer_of_compiler(const DependencyQuery& asked, const Word& compiler) {
    const Answer answer =
        asked.may_be_compiler() ? matches_compiler(asked, compiler) : Answer::unknown;
    if (answer == Answer::yes) {
        return {};
    }
    return {answer, asked.asks_compiler()
                        ? change("compiler", asked.spec.text(), compiler.value_or("not known"))
                        : asked.text() + ": dependencies are not known"};
}

Difference difference(const SpecQuery& wanted, const SpecWords& spec) {
    std::vector<DependencyAnswer> dependencies;
    dependencies.reserve(wanted.dependencies.size());
    for (const DependencyQuery& asked : wanted.dependencies) {
        dependencies.push_back(answer_of_compiler(asked, spec.compiler));
    }
    return difference(wanted, spec, dependencies);
}

Difference difference(const SpecQuery& wanted, const SpecWords& spec,
                      const std::vector<DependencyAnswer>& dependencies) {
    Difference all;
    all.hash = spec.hash;
    const auto variants = variants_of(spec);
    judge_system(all, wanted, spec);
    judge(all, Difference::version, matches_version(wanted, spec.version), "version",
          wanted.version.text(), spec.version);
    judge_variants(all, wanted, variants);
    judge_dependencies(all, wanted, dependencies, true);
    judge_flags(all, wanted, spec, variants);
    SpecQuery one;
    one.name_space = wanted.name_space;
    judge(all, Difference::recipe, matches_recipe(one, spec.name_space, {}), "namespace",
          wanted.name_space.value_or(""), spec.name_space);
    judge_dependencies(all, wanted, dependencies, false);
    if (!spec.hash.starts_with(wanted.hash)) {
        all.words.push_back(change("hash", wanted.hash, spec.hash.substr(0, wanted.hash.size())));
    }
    return all;
}

}  // namespace cacheledger
