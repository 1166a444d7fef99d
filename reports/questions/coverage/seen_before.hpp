#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/questions/coverage/coverage.hpp"
#include "reports/questions/timeline/timeline.hpp"
#include "reports/questions/timeline/wanted_times.hpp"
#include "reports/questions/wanted/wanted_graph.hpp"
#include "schema/specs/lists/spec_list.hpp"

namespace cacheledger {

/// What the column `seen` says of a build that no snapshot has.
inline constexpr const char* never_seen = "never seen";

/// Says of what is missing when other snapshots had it: fills the last columns of
/// Coverage::missing, and Coverage::past. Nothing where the ledger has only one snapshot.
class SeenBefore {
  public:
    /// `coverage` has all columns but those.
    SeenBefore(SQLite::Database& database, Coverage& coverage);

    /// Adds the values to rows of Coverage::missing. `is_counted`: people are shown it.
    void add(std::vector<Value>& row, const WantedNode& node, bool is_counted);
    void add(std::vector<Value>& row, const WantedSpec& line);

    /// Sets Coverage::better if another snapshot has more of what the graph needs to link and to
    /// run. `needed`: that, by node.
    void compare(const WantedGraph& wanted, const std::vector<bool>& needed);
    /// The same of a list that asks for hashes only.
    void compare(const std::vector<WantedSpec>& lines);

    /// Sets Coverage::past, once all is added.
    void finish();

  private:
    bool has_more_to_find() const;
    void compare(const std::vector<std::vector<Stretch>>& of_builds);
    void add(std::vector<Value>& row, const std::vector<Stretch>& stretches, bool is_counted);

    Coverage& coverage_;
    BuildsOfLines builds_of_lines_;
    std::optional<Timeline> timeline_;  // if there are several snapshots
    std::int64_t now_ = 0, before_ = 0, never_ = 0;
    std::string words_;  // of the one that was counted last
};

}  // namespace cacheledger
