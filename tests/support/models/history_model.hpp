#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

/// What a ledger should say of a series, found by looking back at all that its snapshots were
/// given.
namespace cacheledger::history_model {

using Stacks = std::string;                          ///< "e4s,root"
using PackageState = std::map<std::string, Stacks>;  ///< by hash

/// Rows as texts, by the view or report that gives them.
using Rows = std::map<std::string, std::vector<std::string>>;

/// What one snapshot was given: packages, and those whose pages could not be read.
struct Observation {
    std::string tag;
    std::string day;  ///< "2025-03-01"
    bool partial = false;
    std::map<std::string, PackageState> given;
    std::set<std::string> unreadable;

    bool observes(const std::string& package) const {
        return given.contains(package) || (!partial && !unreadable.contains(package));
    }
};

/// The version that a spec of this hash has, which begins with the package's name.
std::string version_of(const std::string& package, const std::string& hash);

/// history/growth of the specs of one version, which not every package always has.
inline constexpr const char* filtered_growth = "history/growth of version 1.0";
inline constexpr const char* filtered_version = "1.0";

/// How long one build lived.
struct Life {
    std::int64_t days = 0;
    bool is_gone = false;
    bool since_start = false;  ///< it was there when its package was first observed
};

/// The first age that at most half outlive, by Kaplan and Meier, or "NULL".
std::string half_life(const std::vector<Life>& lives);

/// All snapshots of one series.
class Series {
  public:
    void put(const std::string& snapshot, const Observation& observation) {
        snapshots_[observation.day] = {snapshot, observation};
    }
    void erase(const std::string& day) { snapshots_.erase(day); }

    /// Adds the rows of this series, of which `name` is the name.
    void add_rows(const std::string& name, const std::vector<std::string>& packages,
                  Rows& rows) const;

  private:
    struct Snapshot {
        std::string name;
        Observation observation;
    };
    /// What a snapshot that observed a package had of it.
    struct Sighting {
        std::string day;
        PackageState state;
    };

    std::vector<Sighting> sightings(const std::string& package) const;
    void add_states(const std::string& name, const std::vector<std::string>& packages,
                    Rows& rows) const;
    void add_versions(const std::string& name, const std::string& package, Rows& rows) const;
    void add_lifetime(const std::string& name, const std::vector<std::string>& packages,
                      Rows& rows) const;
    void add_survival(const std::string& name, const std::vector<std::string>& packages,
                      Rows& rows) const;

    std::map<std::string, Snapshot> snapshots_;  // by day
};

}  // namespace cacheledger::history_model
