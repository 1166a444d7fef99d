#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/questions/coverage/coverage.hpp"
#include "reports/questions/wanted/wanted_graph.hpp"
#include "reports/render/document/document.hpp"
#include "reports/render/table/value.hpp"
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

/// Finds what of one thing the cache has. `asked`: of a graph; throws UsageError if they are asked
/// of a list, which has no roots, and does not say which hashes it means.
Coverage cover(const AskedCache& cache, const WantedInput& wanted, const AskedParts& asked = {});

/// A build that some of several files wait for.
struct NeededBuild {
    std::string package, hash;
    Value version;
    std::vector<std::size_t> files;  ///< their places in SeveralCoverage::each
};

/// One more file that is whole once some builds are done.
struct ServedFile {
    std::size_t file = 0;          ///< its place in SeveralCoverage::each
    std::int64_t builds = 0;       ///< those that it needs besides those before it
    std::int64_t builds_done = 0;  ///< these, and those before
};

/// The order of files in which most of them are soon whole: the next is always the one that needs
/// the fewest builds that are not done (a greedy choice, and not always the best). `needed`: what
/// `num_files` files wait for.
std::vector<ServedFile> order_of_files(std::size_t num_files,
                                       const std::vector<NeededBuild>& needed);

/// How much of each of several things that are wanted a snapshot has, and of all together.
struct SeveralCoverage {
    std::vector<Coverage> each;  ///< as they were asked
    std::vector<NeededBuild>
        needed{};  ///< what graphs wait for; by how many, then by name and hash
    /// A spec that several graphs want counts once, each line of a list for itself. Its `not_read`
    /// is about what is in none of `each`.
    Coverage total;
};

/// Finds it of several. `lists_there`: Coverage::there of the total; throws as cover() does.
SeveralCoverage cover_several(const AskedCache& cache, const std::vector<WantedInput>& inputs,
                              bool lists_there);

/// The document. A condition is a gate for each of `each`. JSON: the object of one coverage, which
/// is about the total, with `wanted` NULL, and before `missing` also "files": [{"wanted",
/// "percent", "percent_all", "specs", "covered", "specs_all", "covered_all", "external",
/// "to_build"; with Coverage::earlier also "percent_since", "covered_since"}], "needed":
/// [{"package", "version", "hash", "files", "of": [{"wanted"}]}], "order": [{"wanted", "builds",
/// "builds_done", "served"}] (of lock files). Of several caches, "caches" is about files and
/// lists together, and the rows of a list in "there" have "wanted". The rows of other formats are
/// the files, and a last one for the total. In "undecided" and "missing" the specs of a list also
/// have "wanted". People see the files from the worst to the best.
Document document_of(const SeveralCoverage& coverage, const CoverageConditions& conditions);

}  // namespace cacheledger
