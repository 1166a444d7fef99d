#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <span>
#include <string>

#include "reports/questions/coverage/coverage.hpp"
#include "reports/render/document/document.hpp"
#include "reports/render/table/result_table.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "schema/text/embedded_text.hpp"

namespace cacheledger {

/// The .sql files of reports/questions/wishes, compiled in.
extern const std::span<const EmbeddedText> wish_texts;

/// How much of what the list of a stack wants its builds are.
struct StackCoverage {
    /// `wanted` is the name of the stack, `runtime` counts the wishes, and those that a build
    /// surely meets. `missing` has the columns package, spec, spec_group, requires, nearest, stacks
    /// (of that), differs. `undecided`, of the wishes that are met as far as known: spec,
    /// spec_group, requires.
    Coverage coverage;
    std::int64_t as_far_as_known = 0;  ///< rows of coverage.undecided
    std::int64_t preferred = 0;  ///< of those there: met by a build that is as the list prefers
};

/// Asks what of the list that was in force at the moment of a snapshot its builds in that stack
/// meet. Throws UsageError where no list of that stack was in force then.
StackCoverage cover_stack(SQLite::Database& database, const Snapshot& snapshot,
                          const std::string& stack);

/// The same without what is missing.
CoverageCount count_stack(SQLite::Database& database, const Snapshot& snapshot,
                          const std::string& stack);

/// The document. JSON: {"stack", "wanted", "there", "as_far_as_known", "percent", "snapshot",
/// "preferred", "since", "percent_since", "there_since" (with Coverage::earlier), "remarks",
/// "undecided", "gates" (with conditions), "missing"}.
Document document_of(const StackCoverage& found, const CoverageConditions& conditions);

}  // namespace cacheledger
