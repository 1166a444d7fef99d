#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ingest/rows/intervals/current_states.hpp"
#include "ingest/rows/intervals/timeline.hpp"
#include "schema/ledger/names/moment.hpp"

namespace cacheledger {

/// Reads and changes the history of packages: the tables presence and page_presence. Works on one
/// package at a time and writes only rows that differ, in the caller's transaction. After a
/// rollback this object must not be used again.
///
/// The changes of append() wait in memory: call flush() before other code reads the tables, and
/// before the transaction is committed. Only one object of this class may be in use.
class PackageHistory {
  public:
    explicit PackageHistory(SQLite::Database& database);

    /// Call this when a snapshot is made. `is_newest`: the series has no later snapshot.
    void begin(std::int64_t series_id, Moment taken_at, bool is_newest);

    /// Whether append() can write the packages of the snapshot: the snapshot is the newest of its
    /// series, and since its begin() only append() wrote in the series.
    bool can_append(std::int64_t series_id, Moment taken_at) const;

    /// From `from` on, the package has the specs `state` and the page `page` (nullopt: no page).
    /// can_append() must be true. The time follows the size of the old and the new state, not the
    /// length of the history. Returns the change of the counts.
    HistoryChange append(std::int64_t series_id, std::int64_t package_id, Moment from,
                         std::vector<SeenSpec> state, const std::optional<SeenPage>& page) {
        known_.erase({series_id, package_id});
        return newest_.append(series_id, package_id, from, std::move(state), page);
    }

    /// Like append(), but the package keeps its specs.
    void append_page(std::int64_t series_id, std::int64_t package_id, Moment from,
                     const std::optional<SeenPage>& page) {
        newest_.append_page(series_id, package_id, from, page);
    }

    /// Writes the rows that wait.
    void flush() { newest_.flush(); }

    /// The pages that the last snapshot of the series has, by package.
    const CurrentStates::Pages& newest_pages(std::int64_t series_id) {
        return newest_.pages(series_id);
    }

    /// From `from` until `to`, the package has the specs `state` and the page `page` (nullopt: no
    /// page). This time may be anywhere in the history. Reads the whole history of the package from
    /// the ledger. Exception: if the last set() of this package covered this time, nothing is read.
    /// Returns the change of the counts.
    HistoryChange set(std::int64_t series_id, std::int64_t package_id, Moment from, Moment to,
                      const std::vector<SeenSpec>& state, const std::optional<SeenPage>& page);

    /// The page at `moment`; nullopt if the package has none.
    std::optional<SeenPage> page_at(std::int64_t series_id, std::int64_t package_id, Moment moment);

    /// Like set(), but the package keeps its specs.
    void set_page(std::int64_t series_id, std::int64_t package_id, Moment from, Moment to,
                  const std::optional<SeenPage>& page);

    /// The specs at `moment`, sorted by look and spec.
    std::vector<SeenSpec> state_at(std::int64_t series_id, std::int64_t package_id, Moment moment);

    /// From `from` until `to`, the package has the specs and the page that it had just before.
    /// Returns the change of the counts.
    HistoryChange hold(std::int64_t series_id, std::int64_t package_id, Moment from, Moment to);

    /// The packages with an interval that begins or ends at the moment. Only these change if a
    /// snapshot at this moment is removed, or does not observe them.
    std::vector<std::int64_t> packages_changed_at(std::int64_t series_id, Moment moment);

    /// The first moment after `moment` at which a snapshot of the series observed the package;
    /// forever if there is none.
    Moment next_observation(std::int64_t series_id, std::int64_t package_id, Moment moment);

  private:
    using PackageOfSeries = std::pair<std::int64_t, std::int64_t>;  // series, package
    using SpecKey = std::pair<std::int64_t, std::int64_t>;          // look, spec
    using StackSet = std::int64_t;
    // What a row of presence says of its interval.
    struct Seen {
        StackSet stack_set = 0;
        bool came = true;   // it begins; else the spec was there before, in other stacks
        bool went = false;  // it ends; else the spec is there afterwards, in other stacks

        bool operator==(const Seen&) const = default;
    };
    using Timelines = std::map<SpecKey, Timeline<Seen>>;
    // The intervals of a package that touch the time from `from` until `to`.
    struct Known {
        Moment from = 0;
        Moment to = 0;
        Timelines timelines;
    };

    void end_append(std::int64_t series_id, std::int64_t package_id);
    Timelines take_timelines(const PackageOfSeries& package, Moment from, Moment to);
    Timeline<SeenPage> pages_between(std::int64_t series_id, std::int64_t package_id, Moment from,
                                     Moment to);

    static Timeline<Seen> assign_stacks(const Timeline<Seen>& before, Moment from, Moment to,
                                        const std::optional<StackSet>& stack_set);
    void write(std::int64_t series_id, std::int64_t package_id, const SpecKey& key,
               const Timeline<Seen>& before, const Timeline<Seen>& after);

    SQLite::Statement select_specs_, delete_spec_, insert_spec_, select_pages_, delete_page_,
        insert_page_, select_changed_, next_observation_;
    std::map<std::int64_t, Moment> appending_;  // by series
    std::map<PackageOfSeries, Known> known_;    // after the last set() of each package
    CurrentStates newest_;
};

}  // namespace cacheledger
