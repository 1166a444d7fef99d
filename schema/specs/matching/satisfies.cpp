#include "schema/specs/matching/satisfies.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "schema/specs/matching/match.hpp"

namespace cacheledger {

namespace {

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
