#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "reports/render/document/document.hpp"

/// How long builds take (table build_time; docs/design.md, "Build times").
namespace cacheledger {

/// For columns and JSON.
constexpr double seconds_of(std::int64_t milliseconds) {
    return static_cast<double>(milliseconds) / 1000;
}

/// What it takes to build some builds, as far as that is known.
struct BuildCost {
    std::int64_t builds = 0;
    std::int64_t known = 0;  ///< those whose time is known
    std::int64_t by_version =
        0;  ///< of these, those of which another build of the version is known
    std::int64_t milliseconds = 0;  ///< of the known ones together
};

/// "5 h 10 min (48 of 51 times known, 3 of them by version)"; without what stands in parentheses
/// where all times are those of the hashes; "not known" where none is.
std::string text_of(const BuildCost& cost);

/// For JSON: build_seconds (NULL: not known), builds_timed, builds_timed_by_version.
std::vector<DocumentField> fields_of_cost(const BuildCost& cost);

/// "2 d 3 h", "5 h 10 min", "42 min 5 s", "0.4 s": in two units, rounded.
std::string duration_text(std::int64_t milliseconds);

/// Says how long builds take. A build takes what the time of its hash says, else that of its
/// package and version, else the median of the times of other hashes of this version: of an even
/// number the mean of the two in the middle.
class BuildTimes {
  public:
    /// Reads all times of the ledger. Throws SQLite::Exception.
    explicit BuildTimes(const SQLite::Database& database);

    /// Whether the ledger has none: then nothing is said of times.
    bool empty() const { return by_hash_.empty() && by_version_.empty(); }

    struct Time {
        std::int64_t milliseconds = 0;
        bool is_by_version = false;
    };
    /// `built`: of a spliced spec the hash of the build that stands for it. nullopt: not known.
    std::optional<Time> find(const std::string& hash, const std::string& package,
                             const std::optional<std::string>& version,
                             const std::optional<std::string>& built = {}) const;

  private:
    std::unordered_map<std::string, std::int64_t> by_hash_;
    std::unordered_map<std::string, std::int64_t> by_version_;  // by "package@version"
};

/// Counts one more build.
void add_build(BuildCost& cost, const std::optional<BuildTimes::Time>& time);

/// What it takes to build these specs of the ledger (spec_id); nullopt if the ledger has no times.
/// The time of an external spec, which nobody builds, is not known. Throws SQLite::Exception.
std::optional<BuildCost> cost_of_specs(const SQLite::Database& database,
                                       const std::vector<std::int64_t>& specs);

}  // namespace cacheledger
