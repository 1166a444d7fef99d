#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "reports/render/table/result_table.hpp"

/// What changed between two snapshots, in words.
namespace cacheledger {

/// The number of stacks that a sentence names; more are counted.
inline constexpr std::size_t most_stacks_named = 3;

/// How the two snapshots are called. Between two of one series things come and go; of two others
/// each has what the other has not.
struct ComparedNames {
    std::string from, to;  ///< tags: "develop"
    bool is_of_one_series = true;
};

/// A part of a sentence, and how many specs it is about.
struct Clause {
    std::int64_t specs = 0;
    std::string text;
};

/// Specs that were added or removed for one attribute, and the values that the added ones have and
/// those that the removed ones had.
struct AttributeChange {
    std::int64_t added = 0, removed = 0;
    /// Whether as many were added as removed, of each version.
    bool is_even = true;
    std::set<std::string> gained{}, lost{};

    void add(std::int64_t more_added, std::int64_t more_removed);
};

/// How an attribute is called: "for", "another target", "other targets", "target".
struct AttributeWords {
    std::string preposition, another, others, noun;
};

/// "3 builds with another compiler (gcc@12.3.0 -> gcc@13.2.0)"; if it is not even "3 new builds
/// with another compiler (gcc@13.2.0), 1 gone (gcc@12.3.0)".
Clause attribute_clause(const AttributeChange& change, const AttributeWords& words,
                        const ComparedNames& names);

/// A clause for each way in which systems differ: "1 build for another operating system (rhel8 ->
/// rhel9)". `systems`: the rows of reports/engine/drift/system_changes.sql.
std::vector<Clause> system_clauses(const ResultTable& systems, const ComparedNames& names);

/// In which of platform, operating system and target the systems differ: "operating system",
/// "platform or target"; "target" where there are none. `systems`: as in system_clauses().
std::string words_of_systems(const ResultTable& systems);

/// "Stack ml is gone: 364 builds left it, 360 are now in no stack." A sentence on the stacks that
/// are gone, and one on those that are new; empty if there are none. `stacks`: the rows of
/// reports/engine/drift/stack_changes.sql.
/// `is_of_all`: whether they have all specs of these stacks, not only those that are asked.
std::string stack_sentences(const ResultTable& stacks, const ComparedNames& names, bool is_of_all);

/// The change of an option as people say it: "abi=none dropped" for "abi: none -> (none)",
/// "api=v18 added" for "api: (none) -> v18", "abi dropped" for "abi: (none)". Others stay.
std::string option_words(std::string_view change);

}  // namespace cacheledger
