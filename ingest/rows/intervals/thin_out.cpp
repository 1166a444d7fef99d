
#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <vector>

#include "ingest/rows/intervals/presence_history.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

// Whose rows are written at once. More take more memory: the whole history of each is read.
constexpr std::size_t packages_together = 20;

// The snapshots that stay, and which of them observe a package.
class Observations {
  public:
    Observations(SQLite::Database& database, std::int64_t series_id, const std::set<Moment>& gone) {
        for (const auto& [moment, observes_all] : rows<Moment, bool>(
                 database, "SELECT taken_at, observes_all FROM snapshot WHERE series_id = ?",
                 series_id)) {
            if (!gone.contains(moment)) {
                kept_.emplace(moment, observes_all);
            }
        }
        for (const auto& [package_id, moment] :
             rows<std::int64_t, Moment>(database,
                                        "SELECT package_id, taken_at FROM observation_exception "
                                        "JOIN snapshot USING (snapshot_id) WHERE series_id = ?",
                                        series_id)) {
            exceptions_[package_id].insert(moment);
        }
    }

    /// Call one of these before the functions below.
    void choose_package(std::int64_t package_id) {
        const auto found = exceptions_.find(package_id);
        choose(found == exceptions_.end() ? std::set<Moment>() : found->second);
    }
    void choose_roots() { choose({}); }

    /// The first observation that stays at the moment or after it.
    Moment next(Moment moment) const {
        const auto found = std::ranges::lower_bound(observed_, moment);
        return found == observed_.end() ? forever : *found;
    }

    /// The snapshots that stay and do not observe what was chosen.
    const std::vector<Moment>& unobserved() const { return unobserved_; }

  private:
    // `exceptions`: what a snapshot that observes all does not observe, and the others do.
    void choose(const std::set<Moment>& exceptions) {
        observed_.clear();
        unobserved_.clear();
        for (const auto& [moment, observes_all] : kept_) {
            (observes_all != exceptions.contains(moment) ? observed_ : unobserved_)
                .push_back(moment);
        }
    }

    std::map<Moment, bool> kept_;                          // whether it observes all
    std::map<std::int64_t, std::set<Moment>> exceptions_;  // by package
    std::vector<Moment> observed_, unobserved_;            // of what was chosen
};

}  // namespace

void PresenceHistory::thin_out(std::int64_t series_id, const std::set<Moment>& gone,
                               const Progress& progress) {
    forget();
    appending_.erase(series_id);
    Observations observations(database_, series_id, gone);
    const auto next = [&](Moment moment) { return observations.next(moment); };
    SnapshotCounts counts;
    const auto packages = packages_changed_at(series_id, gone);
    std::size_t done = 0;
    for (const std::int64_t package_id : packages) {
        const Package package(series_id, package_id);
        observations.choose_package(package_id);
        const std::vector<Moment>& unobserved = observations.unobserved();
        const auto before = specs_.counts(package, unobserved);
        specs_.move(package, next);
        pages_.move(package, next);
        const auto after = specs_.counts(package, unobserved);
        for (std::size_t i = 0; i < unobserved.size(); ++i) {
            counts.add({unobserved[i], unobserved[i] + 1, after[i] - before[i],
                        (after[i] > 0 ? 1 : 0) - (before[i] > 0 ? 1 : 0)});
        }
        if (++done % packages_together == 0) {
            forget();
        }
        progress(done, packages.size());
    }
    observations.choose_roots();
    roots_.move({series_id}, next);
    forget();
    counts.write(database_, series_id);
}

}  // namespace cacheledger
