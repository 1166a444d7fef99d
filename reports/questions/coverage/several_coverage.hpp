#pragma once

#include <SQLiteCpp/Database.h>

#include <optional>
#include <vector>

#include "reports/questions/coverage/coverage.hpp"
#include "reports/questions/wanted/wanted_graph.hpp"
#include "reports/render/document/document.hpp"
#include "schema/ledger/names/snapshot.hpp"

namespace cacheledger {

/// A cache that is asked: one snapshot, and perhaps an earlier one to compare with; or several
/// caches.
struct AskedCache {
    SQLite::Database& database;
    Snapshot now;
    std::optional<Snapshot> earlier;
    std::vector<Snapshot> then{};  ///< AskedParts::then

    /// Sets Coverage::earlier, if that is asked. `count`: gives a CoverageCount of a snapshot.
    template <typename Count>
    void compare(Coverage& coverage, const Count& count) const {
        if (earlier) {
            coverage.earlier = {earlier->name, count(*earlier)};
        }
    }
};

/// Finds what of one thing the cache has. `parts`: of a graph; throws UsageError if they are asked
/// of a list, which has no roots, and does not say which hashes it means.
Coverage cover(const AskedCache& cache, const WantedInput& wanted, const AskedParts& parts = {});

/// How much of each of several things that are wanted a snapshot has, and of all together.
struct SeveralCoverage {
    std::vector<Coverage> each;  ///< as they were asked
    Coverage
        total;  ///< a spec that several graphs want counts once, each line of a list for itself
};

/// Finds it of several. `lists_there`: Coverage::there of the total; throws as cover() does.
SeveralCoverage cover_several(const AskedCache& cache, const std::vector<WantedInput>& inputs,
                              bool lists_there);

/// The document. A condition is a gate for each of `each`. JSON: the object of one coverage, which
/// is about the total, with `wanted` NULL, and before `missing` also "files": [{"wanted",
/// "percent", "percent_all", "specs", "covered", "specs_all", "covered_all", "external",
/// "to_build"; with Coverage::earlier also "percent_since", "covered_since"}]. The rows of other
/// formats are those, and a last one for the total. In "undecided" and "missing" the specs of a
/// list also have "wanted".
Document document_of(const SeveralCoverage& coverage, const CoverageConditions& conditions);

}  // namespace cacheledger
