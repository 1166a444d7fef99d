#include "schema/specs/matching/match.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "schema/specs/spelling/compiler.hpp"
#include "schema/specs/spelling/variants.hpp"

namespace cacheledger {

namespace {

Answer is_word(const std::optional<std::string>& asked, const std::optional<std::string>& word) {
    if (!asked) {
        return Answer::yes;
    }
    return word ? answer(*asked == *word) : Answer::unknown;
}

std::vector<std::string> flags_of(std::string_view flags, std::string_view name) {
    std::vector<std::string> found;
    bool is_of_name = false;
    for (std::string word : words_of(flags)) {
        const std::size_t equals = word.find('=');
        if (equals != std::string::npos && is_compiler_flag(word.substr(0, equals))) {
            is_of_name = word.substr(0, equals) == name;
            word.erase(0, equals + 1);
        }
        if (is_of_name && !word.empty()) {
            found.push_back(word);
        }
    }
    return found;
}

// Hashes of patches may be cut on either side.
bool is_patch(const std::string& asked, const std::string& patch) {
    return patch.starts_with(asked) || asked.starts_with(patch);
}

bool has_patches(const VariantQuery& asked, const std::vector<std::string>& patches) {
    const auto all_in = [](const auto& some, const auto& others) {
        return std::ranges::all_of(some, [&](const std::string& one) {
            return std::ranges::any_of(
                others, [&](const std::string& other) { return is_patch(one, other); });
        });
    };
    return all_in(asked.values, patches) && (!asked.is_exact || all_in(patches, asked.values));
}

bool has_flags(const FlagsQuery& asked, std::string_view flags) {
    const auto found = flags_of(flags, asked.name);
    return std::ranges::all_of(asked.flags, [&](const std::string& flag) {
        return std::ranges::find(found, flag) != found.end();
    });
}

std::optional<VariantSet> parsed(const std::optional<std::string>& variants) {
    return variants ? std::optional(parse_variant_text(*variants)) : std::nullopt;
}

Answer word_satisfies(const std::optional<std::string>& word,
                      const std::optional<std::string>& asked) {
    return answer(!asked || (word && *word == *asked));
}

bool is_one_range(const VersionSet& versions) {
    return versions.text().find(',') == std::string::npos;
}

// Whether all versions that begin so, or this one, are in a range.
Answer versions_are_in(const VersionSet& asked, std::string_view version, bool is_exact) {
    if (is_exact) {
        return asked.contains(version);
    }
    // "develop" is above all numbers: 1.2.develop is the last that begins with 1.2.
    const Answer both =
        all_of(asked.contains(version), asked.contains(std::string(version) + ".develop"));
    return both == Answer::yes && !is_one_range(asked) ? Answer::unknown : both;
}

Answer version_satisfies(const VersionSet& versions, const VersionSet& asked) {
    if (asked.allows_all() || versions.text() == asked.text()) {
        return Answer::yes;
    }
    if (versions.allows_all()) {
        return Answer::no;
    }
    const std::string_view text = versions.text();
    const std::size_t colon = text.find(':');
    if (!is_one_range(versions) || text.starts_with("git.")) {
        return Answer::unknown;
    }
    if (colon == std::string_view::npos) {
        const bool is_exact = text.starts_with('=');
        return versions_are_in(asked, text.substr(is_exact ? 1 : 0), is_exact);
    }
    const std::string_view from = text.substr(0, colon);
    const std::string_view to = text.substr(colon + 1);
    if (from.empty() || to.empty()) {
        return Answer::unknown;
    }
    const Answer ends = all_of(asked.contains(from), versions_are_in(asked, to, false));
    return ends == Answer::yes && !is_one_range(asked) ? Answer::unknown : ends;
}

Answer variants_satisfy(const SpecQuery& query, const SpecQuery& asked) {
    Answer all = Answer::yes;
    for (const VariantQuery& one : asked.variants) {
        const auto found = std::ranges::find(query.variants, one.name, &VariantQuery::name);
        if (found == query.variants.end()) {
            return Answer::no;
        }
        all = all_of(all, found->is_any && !one.is_any ? Answer::unknown
                                                       : answer(has_values(one, &found->values)));
    }
    return all;
}

bool flags_satisfy(const SpecQuery& query, const SpecQuery& asked) {
    return std::ranges::all_of(asked.flags, [&](const FlagsQuery& one) {
        const auto found = std::ranges::find(query.flags, one.name, &FlagsQuery::name);
        return found != query.flags.end() &&
               std::ranges::all_of(one.flags, [&](const std::string& flag) {
                   return std::ranges::find(found->flags, flag) != found->flags.end();
               });
    });
}

Answer target_satisfies(const std::optional<TargetSet>& target,
                        const std::optional<TargetSet>& asked) {
    if (!asked || (target && target->text() == asked->text())) {
        return Answer::yes;
    }
    if (!target) {
        return Answer::no;
    }
    const bool is_one = target->text().find_first_of(":,") == std::string::npos;
    return is_one ? asked->contains(target->text()) : Answer::unknown;
}

// Names that stand for any of several packages. Whether one of these is meant, only recipes say.
bool may_be_virtual(const std::string& package) {
    constexpr auto names = std::to_array<std::string_view>(
        {"blas", "c", "cxx", "fftw-api", "fortran", "gl", "glx", "jpeg", "lapack", "libc", "mkl",
         "mpi", "opengl", "scalapack", "tbb", "zlib-api"});
    return std::ranges::find(names, package) != names.end();
}

Answer dependency_satisfies(const DependencyQuery& dependency, const DependencyQuery& asked) {
    const auto has_all = [](const auto& words, const auto& others) {
        return std::ranges::includes(words, others);
    };
    if ((asked.is_direct && !dependency.is_direct) ||
        !has_all(dependency.virtuals, asked.virtuals) ||
        !has_all(dependency.deptypes, asked.deptypes)) {
        return Answer::no;
    }
    return satisfies(dependency.spec, asked.spec);
}

Answer dependencies_satisfy(const SpecQuery& query, const SpecQuery& asked) {
    Answer all = Answer::yes;
    for (const DependencyQuery& one : asked.dependencies) {
        Answer any = Answer::no;
        for (const DependencyQuery& dependency : query.dependencies) {
            any = any_of(any, dependency_satisfies(dependency, one));
        }
        if (any == Answer::no && !query.dependencies.empty() && one.spec.package &&
            may_be_virtual(*one.spec.package)) {
            any = Answer::unknown;
        }
        all = all_of(all, any);
    }
    return all;
}

}  // namespace

std::string flags_text(std::string_view flags, std::string_view name) {
    return fmt::format("{}", fmt::join(flags_of(flags, name), " "));
}

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        if (end > begin) {
            words.emplace_back(text.substr(begin, end - begin));
        }
        begin = end + 1;
    }
    return words;
}

const std::vector<std::string>* values_of(const VariantSet& variants, std::string_view name) {
    const auto found = std::ranges::find(variants.variants, name, &Variant::name);
    return found == variants.variants.end() ? nullptr : &found->values;
}

bool has_values(const VariantQuery& asked, const std::vector<std::string>* values) {
    if (values == nullptr) {
        return asked.is_propagated;  // it only says what the variant is where there is one
    }
    if (asked.is_any) {
        return true;
    }
    if (asked.name == "patches") {
        return has_patches(asked, *values);
    }
    return asked.is_exact ? *values == asked.values : std::ranges::includes(*values, asked.values);
}

Answer matches_version(const SpecQuery& query, const std::optional<std::string>& version) {
    if (query.version.allows_all()) {
        return Answer::yes;
    }
    return version ? query.version.contains(*version) : Answer::unknown;
}

Answer matches_system(const SpecQuery& query, const std::optional<std::string>& platform,
                      const std::optional<std::string>& os,
                      const std::optional<std::string>& target) {
    // As in Spack, what stands behind a word that may be any is not asked.
    for (const auto& [asked, word] : {std::pair(&query.platform, &platform), {&query.os, &os}}) {
        if (*asked == "*" && *word) {
            return asked == &query.os ? is_word(query.platform, platform) : Answer::yes;
        }
    }
    const Answer system = all_of(is_word(query.platform, platform), is_word(query.os, os));
    if (!query.target) {
        return system;
    }
    return all_of(system, target ? query.target->contains(*target) : Answer::unknown);
}

Answer matches_variants(const SpecQuery& query, const std::optional<VariantSet>& variants) {
    Answer all = Answer::yes;
    for (const VariantQuery& asked : query.variants) {
        if (asked.name != "patches") {
            all = all_of(all, variants ? answer(has_values(asked, values_of(*variants, asked.name)))
                                       : Answer::unknown);
        }
    }
    return all;
}

Answer matches_patches(const SpecQuery& query, const std::optional<VariantSet>& variants,
                       const std::optional<std::string>& patches) {
    Answer all = Answer::yes;
    for (const VariantQuery& asked : query.variants) {
        if (asked.name != "patches") {
            continue;
        }
        const auto* const values = variants ? values_of(*variants, asked.name) : nullptr;
        if (values == nullptr && patches && !patches->empty()) {
            const auto words = words_of(*patches);
            all = all_of(all, answer(has_values(asked, &words)));
        } else if (values == nullptr && !variants && !patches) {
            all = all_of(all, Answer::unknown);
        } else {
            all = all_of(all, answer(has_values(asked, values)));
        }
    }
    return all;
}

Answer matches_recipe(const SpecQuery& query, const std::optional<std::string>& name_space,
                      const std::optional<std::string>& flags) {
    Answer all = is_word(query.name_space, name_space);
    for (const FlagsQuery& asked : query.flags) {
        all = all_of(all, flags ? answer(has_flags(asked, *flags)) : Answer::unknown);
    }
    return all;
}

Answer matches_compiler(const DependencyQuery& asked, const std::optional<std::string>& compiler) {
    const SpecQuery& spec = asked.spec;
    const auto shown = compiler ? parse_compiler(*compiler) : std::nullopt;
    if (!shown) {
        return Answer::unknown;
    }
    if (spec.package && *spec.package != shown->name) {
        // A package that is no compiler may be another direct dependency.
        return asked.asks_compiler() ? Answer::no : Answer::unknown;
    }
    const Answer version = matches_version(spec, shown->version);
    if (spec.has_options() && spec.package) {
        return Answer::no;
    }
    return spec.has_options() || spec.name_space ? all_of(version, Answer::unknown) : version;
}

Answer matches(const SpecQuery& query, const SpecWords& spec) {
    if ((query.package && *query.package != spec.package) || !spec.hash.starts_with(query.hash)) {
        return Answer::no;
    }
    const auto variants = parsed(spec.variants);
    Answer all = matches_version(query, spec.version);
    all = all_of(all, matches_system(query, spec.platform, spec.os, spec.target));
    all = all_of(all, matches_variants(query, variants));
    all = all_of(all, matches_patches(query, variants, spec.patches));
    all = all_of(all, matches_recipe(query, spec.name_space, spec.flags));
    for (const DependencyQuery& asked : query.dependencies) {
        all = all_of(all, asked.may_be_compiler() ? matches_compiler(asked, spec.compiler)
                                                  : Answer::unknown);
    }
    return all;
}

Answer satisfies(const SpecQuery& query, const SpecQuery& asked) {
    Answer all = all_of(word_satisfies(query.package, asked.package),
                        word_satisfies(query.name_space, asked.name_space));
    all = all_of(all, version_satisfies(query.version, asked.version));
    all = all_of(all, variants_satisfy(query, asked));
    all = all_of(all, answer(flags_satisfy(query, asked)));
    all = all_of(all, word_satisfies(query.platform, asked.platform));
    all = all_of(all, word_satisfies(query.os, asked.os));
    all = all_of(all, target_satisfies(query.target, asked.target));
    all = all_of(all, answer(query.hash.starts_with(asked.hash)));
    return all_of(all, dependencies_satisfy(query, asked));
}

}  // namespace cacheledger
