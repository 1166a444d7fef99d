#include "ingest/rows/intervals/presence_history.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>

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

void SnapshotCounts::add(const CountChange& change) {
    CountChange& sum = changes_.try_emplace({change.from, change.until}).first->second;
    sum.specs += change.specs;
    sum.packages += change.packages;
}

void SnapshotCounts::write(SQLite::Database& database, std::int64_t series_id) const {
    if (changes_.empty()) {
        return;
    }
    const Write update(database,
                       "UPDATE snapshot SET specs = specs + ?, packages = packages + ? "
                       "WHERE series_id = ? AND taken_at >= ? AND taken_at < ?");
    for (const auto& [time, change] : changes_) {
        if (change.specs != 0 || change.packages != 0) {
            update(change.specs, change.packages, series_id, time.first, time.second);
        }
    }
}

PresenceHistory::PresenceHistory(SQLite::Database& database)
    : database_(database),
      specs_(database),
      pages_(database),
      roots_(database),
      next_observation_(
          database,
          "SELECT s.taken_at FROM snapshot s WHERE s.series_id = ? AND s.taken_at > ? "
          "AND s.observes_all <> EXISTS (SELECT 1 FROM observation_exception e "
          "WHERE e.snapshot_id = s.snapshot_id AND e.package_id = ?) "
          "ORDER BY s.taken_at LIMIT 1"),
      next_roots_(database,
                  "SELECT taken_at FROM snapshot WHERE series_id = ? AND taken_at > ? "
                  "AND observes_all = 1 ORDER BY taken_at LIMIT 1") {}

void PresenceHistory::begin(std::int64_t series_id, Moment taken_at, bool is_newest) {
    appending_.erase(series_id);
    if (is_newest) {
        appending_.emplace(series_id, taken_at);
    }
}

bool PresenceHistory::can_append(std::int64_t series_id, Moment moment) const {
    const auto found = appending_.find(series_id);
    return found != appending_.end() && found->second == moment;
}

// All pages of the series that are there now are read at once.
void PresenceHistory::know_pages(std::int64_t series_id, Moment moment) {
    if (known_pages_.insert(series_id).second) {
        pages_.flush();
        for (auto&& [package_id, from, page_id, path] :
             rows<std::int64_t, Moment, std::int64_t, std::string>(
                 database_,
                 "SELECT package_id, valid_from, page_id, path FROM page_presence "
                 "WHERE series_id = ? AND valid_to IS NULL",
                 series_id)) {
            pages_.know({series_id, package_id}, moment, {{{page_id, std::move(path)}, from}});
        }
    }
}

// Until when a state of the package holds that is set at the moment. Call this first: what is known
// of the package afterwards is of that time.
Moment PresenceHistory::until(const Package& package, Moment moment) {
    const auto& [series_id, package_id] = package;
    if (can_append(series_id, moment)) {
        know_pages(series_id, moment);
        if (!pages_.knows(package)) {
            pages_.know(package, moment, {});
            specs_.know(package, moment, {});  // it has no specs without a page
        }
        return forever;
    }
    known_pages_.erase(series_id);
    return next_observation_(series_id, moment, package_id).first().value_or(forever);
}

// Only rows of the newest snapshot wait.
void PresenceHistory::write_through(std::int64_t series_id, Moment moment) {
    if (!can_append(series_id, moment)) {
        appending_.erase(series_id);
        flush();
    }
}

CountChange PresenceHistory::set(std::int64_t series_id, std::int64_t package_id, Moment moment,
                                 std::vector<SeenSpec> state, const std::optional<SeenPage>& page) {
    const Package package(series_id, package_id);
    const Moment to = until(package, moment);
    const auto [before, now] = specs_.set(package, moment, to, std::move(state));
    std::vector<SeenPage> pages;
    if (page) {
        pages.push_back(*page);
    }
    pages_.set(package, moment, to, std::move(pages));
    write_through(series_id, moment);
    return {moment, to, static_cast<std::int64_t>(now) - static_cast<std::int64_t>(before),
            (now > 0 ? 1 : 0) - (before > 0 ? 1 : 0)};
}

bool PresenceHistory::keep(std::int64_t series_id, std::int64_t package_id, Moment moment,
                           const SeenPage& page) {
    const Package package(series_id, package_id);
    const Moment to = until(package, moment);
    const std::vector<SeenPage> pages = pages_.at(package, moment);
    if (pages.empty() || pages.front().page_id != page.page_id) {
        return false;
    }
    if (pages.front() != page) {
        pages_.set(package, moment, to, {page});
        write_through(series_id, moment);
    }
    return true;
}

CountChange PresenceHistory::hold(std::int64_t series_id, std::int64_t package_id, Moment moment) {
    const Package package(series_id, package_id);
    const std::vector<SeenPage> pages = pages_.at(package, moment - 1);
    return set(series_id, package_id, moment, specs_.at(package, moment - 1),
               pages.empty() ? std::nullopt : std::optional(pages.front()));
}

std::vector<std::int64_t> PresenceHistory::packages_at(std::int64_t series_id, Moment moment) {
    if (can_append(series_id, moment)) {
        know_pages(series_id, moment);
        std::vector<std::int64_t> packages;
        for (const auto& [series, package_id] : pages_.groups_at(series_id, moment)) {
            packages.push_back(package_id);
        }
        return packages;
    }
    flush();
    return all_values<std::int64_t>(database_,
                                    "SELECT package_id FROM page_presence WHERE series_id = ?1 "
                                    "AND valid_from <= ?2 AND (valid_to IS NULL OR valid_to > ?2)",
                                    series_id, moment);
}

std::vector<std::int64_t> PresenceHistory::packages_changed_at(std::int64_t series_id,
                                                               const std::set<Moment>& moments) {
    flush();
    return all_values<std::int64_t>(
        database_,
        "WITH moment (at) AS (SELECT value FROM json_each(?2)) "
        "SELECT DISTINCT package_id FROM ("
        "SELECT package_id FROM presence WHERE series_id = ?1 "
        "AND valid_from IN (SELECT at FROM moment) UNION ALL "
        "SELECT package_id FROM presence WHERE series_id = ?1 "
        "AND valid_to IN (SELECT at FROM moment) UNION ALL "
        "SELECT package_id FROM page_presence WHERE series_id = ?1 "
        "AND (valid_from IN (SELECT at FROM moment) OR valid_to IN (SELECT at FROM moment))) "
        "ORDER BY package_id",
        series_id, fmt::format("[{}]", fmt::join(moments, ",")));
}

void PresenceHistory::set_roots(std::int64_t series_id, Moment moment,
                                const std::vector<SeenRoot>& roots) {
    roots_.set({series_id}, moment, next_roots_(series_id, moment).first().value_or(forever),
               roots);
    roots_.flush();
}

void PresenceHistory::flush() {
    specs_.flush();
    pages_.flush();
    roots_.flush();
}

// Writes what waits, and reads all anew when it is needed.
void PresenceHistory::forget() {
    specs_.forget();
    pages_.forget();
    roots_.forget();
    known_pages_.clear();
}

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
