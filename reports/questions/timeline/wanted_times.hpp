#pragma once

#include <SQLiteCpp/Database.h>

#include <vector>

#include "reports/questions/timeline/timeline.hpp"
#include "reports/questions/wanted/wanted_graph.hpp"
#include "schema/ledger/search/dependents.hpp"
#include "schema/ledger/search/matching_specs.hpp"
#include "schema/specs/lists/spec_list.hpp"

namespace cacheledger {

/// The hashes under which a cache can have a node: its own, and that of the build from which it was
/// spliced.
std::vector<std::string> hashes_of(const WantedNode& node);

/// The snapshots that have a node.
std::vector<Stretch> stretches_of(const Timeline& timeline, const WantedNode& node);

/// Finds the builds of the whole ledger that are what lines of a list want.
class BuildsOfLines {
  public:
    explicit BuildsOfLines(SQLite::Database& database) : database_(database), memory_(database) {}

    MatchingSpecs find(const WantedSpec& line);

  private:
    SQLite::Database& database_;
    SearchMemory memory_;
};

}  // namespace cacheledger
