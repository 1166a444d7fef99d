#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "schema/specs/constraints/answer.hpp"
#include "schema/specs/matching/match.hpp"
#include "schema/specs/queries/spec_query.hpp"

/// The one meaning of "nearest": which spec is the most like another, or the most like what is
/// asked. The view spec_distances (schema/sql/helper_views) has the same order for SQL.
namespace cacheledger {

/// How far a spec is from what is wanted, and in which words. The nearest of some specs is the
/// smallest of their differences.
struct Difference {
    /// What differs, the most important first. Each is 0 or 1, but `target` is 2 if the wanted
    /// target does not run the other, or nobody knows; and the variants and the dependencies that
    /// are asked are counted.
    enum Part {
        family,
        system,
        target,
        version,
        variants,
        compiler,
        flags_or_patches,
        recipe,
        dependencies,
        parts
    };

    std::array<std::uint32_t, parts> distance{};
    std::string hash;  ///< of the spec; decides between specs that are as far

    /// From what is wanted to what is there: "version: 1.14.1 -> 1.14.3", "+mpi" where ~mpi is
    /// wanted, "api: default -> v18", "recipe"; "target: zen4 -> aarch64 (another family)" for what
    /// can never run where it is wanted. In the order of `distance`; then what differs and makes no
    /// distance: "namespace: builtin -> site", "external: /usr -> no".
    std::vector<std::string> words;

    bool operator==(const Difference& other) const {
        return distance == other.distance && hash == other.hash;
    }
    auto operator<=>(const Difference& other) const {
        if (const auto order = distance <=> other.distance; std::is_neq(order)) {
            return order;
        }
        return hash <=> other.hash;
    }
};

/// The difference of two specs of one package. What no source said of one of them matches
/// everything. So does the variant build_system where only one has it, because old pages and nodes
/// do not have it.
Difference difference(const SpecWords& wanted, const SpecWords& spec);

/// Whether a spec has a dependency that is asked.
struct DependencyAnswer {
    Answer answer = Answer::yes;
    std::string words;  ///< "^openmpi: 5 -> 4.1.6": unless the answer is yes
};

/// The answer of the compiler that a spec shows, for those who know no other dependency. What is
/// not the compiler is unknown: "^zlib@1.3: dependencies are not known".
DependencyAnswer answer_of_compiler(const DependencyQuery& asked,
                                    const std::optional<std::string>& compiler);

/// The difference between what is asked and a spec of that package. `dependencies`: an answer for
/// each that is asked. What is not known of the spec is no distance, but is said:
/// "compiler: gcc@13 -> not known".
Difference difference(const SpecQuery& wanted, const SpecWords& spec,
                      const std::vector<DependencyAnswer>& dependencies);

/// The same with the answers of the compiler.
Difference difference(const SpecQuery& wanted, const SpecWords& spec);

}  // namespace cacheledger
