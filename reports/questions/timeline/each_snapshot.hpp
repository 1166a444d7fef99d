#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/questions/wanted/closure.hpp"
#include "reports/questions/wanted/wanted_graph.hpp"
#include "reports/render/document/document.hpp"
#include "schema/ledger/names/moment.hpp"
#include "schema/specs/lists/spec_list.hpp"

namespace cacheledger {

// This room tells which of many snapshots serves best what is wanted. Time follows from how often
// the builds that are wanted came and went, and a plan of what must be built is made where the
// snapshot before has others of them.

/// What is wanted of all snapshots: the specs of lock files, and lines of lists.
struct WantedOfEach {
    std::string name;  ///< as people call it
    WantedGraph graph;
    std::vector<WantedSpec> lines;
    std::int64_t external = 0;  ///< lines that are left out because they are external
    std::string not_read{};     ///< a sentence on what was not read of the lists
};

/// All that is wanted, as one.
WantedOfEach wanted_of_each(const std::vector<WantedInput>& inputs);

/// How much of it each snapshot has.
struct EachSnapshot {
    struct One {
        std::string snapshot, series;
        Moment taken_at = 0;
        CoverageCount runtime;  ///< what is needed to link and to run, and lines
        /// With what it is built with; lines are not planned. nullopt: only lines are wanted.
        std::optional<std::int64_t> to_build;
    };
    std::string wanted;
    std::vector<One> snapshots;  ///< the best first: most of it, then least to build, then newest
    std::vector<std::string> remarks;
};

/// `pattern`: the name of a series, or a pattern for names of snapshots, such as 'develop*'. Lock
/// files of the ledger are no caches. Throws UsageError if no snapshot matches.
EachSnapshot cover_each(SQLite::Database& database, const std::string& pattern,
                        const WantedOfEach& wanted);

/// The document. JSON: {"wanted", "best" (the name of the first), "remarks": [...], "snapshots":
/// [{"snapshot", "series", "taken_at", "percent", "specs", "covered", "builds"}]}, which are also
/// the rows. The picture: the percentages over time, a panel for each series.
Document document_of(const EachSnapshot& each);

}  // namespace cacheledger
