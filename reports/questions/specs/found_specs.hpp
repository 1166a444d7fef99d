#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reports/render/document/document.hpp"
#include "reports/render/table/result_table.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "schema/ledger/search/matching_specs.hpp"
#include "schema/specs/queries/spec_query.hpp"
#include "schema/text/embedded_text.hpp"

namespace cacheledger {

/// reports/questions/specs/found_builds.sql, compiled in.
extern const std::span<const EmbeddedText> specs_texts;

/// What a user asks for.
struct AskedSpecs {
    SpecQuery query;                   ///< of everything: all builds
    std::optional<std::string> stack;  ///< only in the stacks that match this pattern
    std::size_t most;                  ///< how many rows are wanted
    bool is_for_table;                 ///< whether a table is to be printed, for which see below
    std::string packages = "*";        ///< only those of packages that match this pattern
    std::string typed{};               ///< the text of the query, as the user gave it
};

/// The specs of a snapshot that match a spec.
struct FoundSpecs {
    std::int64_t num_builds() const { return all - external; }

    std::string asked;     ///< in one spelling, with the stack
    std::string snapshot;  ///< its name
    /// The columns of the view specs, in natural order, the newest versions first. At most the rows
    /// that are wanted; for a table all of them, if the query asks for one package or hash.
    ResultTable builds;
    std::vector<std::int64_t> spec_ids;  ///< of these rows
    std::int64_t all = 0;                ///< how many match
    std::int64_t external = 0;  ///< of these: no builds, but found where somebody installed them
    std::vector<Value> stacks;  ///< without `root`; of the rows that are wanted
    /// For a table, of the rows that are wanted: what is enough of the hash to name the build.
    std::vector<std::string> short_hashes;
    /// What the document leaves out, and if no build matches, why.
    std::vector<std::string> remarks;
    /// If no build matches: the builds that come nearest: `differs`, `builds` (how many differ in
    /// this way), and the hash of one of them.
    ResultTable nearest;
};

/// Finds them. Throws UsageError if the ledger has no package of that name.
FoundSpecs find_specs(SQLite::Database& database, const Snapshot& snapshot,
                      const AskedSpecs& asked);

/// The same of several caches, at least one: each build once, as the first that has it tells of it.
/// The rows have a last column `caches`: the snapshots that have the build, separated by commas.
FoundSpecs find_specs(SQLite::Database& database, const std::vector<Snapshot>& caches,
                      const AskedSpecs& asked);

/// Sets `remarks` and `nearest` of an answer without builds. `matching`: what matches in the whole
/// snapshot, of the packages that are asked, whatever stacks are asked.
void explain_no_match(SQLite::Database& database, const Snapshot& snapshot, const AskedSpecs& asked,
                      const MatchingSpecs& matching, FoundSpecs& found);

/// The document, which takes `builds` out of `found`. For people: in lines what is the same in all
/// builds, and a table of the rest; of one build all that is known; without builds the nearest.
Document document_of(FoundSpecs& found);

/// Which of the builds look the same, and what tells them apart (TellingApart). Columns: group,
/// package, version, platform, os, target, compiler, variants, hash, differs; `differs` is NULL
/// where nothing known is different. Needs all rows of `builds`.
ResultTable alike_builds(SQLite::Database& database, const FoundSpecs& found);

/// The document of that; for people each group has a table, and there are at most `most_groups`.
Document document_of_alike(SQLite::Database& database, const FoundSpecs& found,
                           std::size_t most_groups);

/// The variants of some builds, divided into what all of them have and what is left of each.
struct DividedVariants {
    std::vector<std::string> alike;  ///< "+mpi", "api=default": the same in all builds
    std::vector<Value> differing;    ///< of each build; NULL if nothing is left
};

/// Divides them. `variants`: the text of each build; NULL if it is not known, and then no variant
/// is the same in all builds.
DividedVariants divide_variants(const std::vector<Value>& variants);

}  // namespace cacheledger
