#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ingest/presence/current_states.hpp"
#include "ingest/presence/timeline.hpp"
#include "schema/names/moment.hpp"

namespace cacheledger {

/// The history of packages in the ledger: the tables presence and page_presence, read and changed a
/// package at a time. Writes in the caller's transaction, and only rows that differ; one that is
/// rolled back leaves it useless. What append() changes is written late: call flush() before the
/// tables are read elsewhere, and before the transaction is committed. (Of a snapshot that was
/// there before, nothing waits.) There must be no second one in use beside it.
class PackageHistory {
  public:
    explicit PackageHistory(SQLite::Database& database);

    /// To be called where a snapshot is made; `is_newest`: the series has no later one.
    void begin(std::int64_t series_id, Moment taken_at, bool is_newest);

    /// Whether the packages of the snapshot can be written with append(): it is the newest of its
    /// series, and nothing else was written in the series since its begin().
    bool can_append(std::int64_t series_id, Moment taken_at) const;

    /// Makes `state` the package's specs, and `page` (nothing: none) its page, from `from` on,
    /// where can_append(). Takes time by the size of the state that was in force and of the new
    /// one, however long the history.
    HistoryChange append(std::int64_t series_id, std::int64_t package_id, Moment from,
                         std::vector<SeenSpec> state, const std::optional<SeenPage>& page) {
        known_.erase({series_id, package_id});
        return newest_.append(series_id, package_id, from, std::move(state), page);
    }

    /// append() that leaves the specs as they are.
    void append_page(std::int64_t series_id, std::int64_t package_id, Moment from,
                     const std::optional<SeenPage>& page) {
        newest_.append_page(series_id, package_id, from, page);
    }

    /// Writes what waits.
    void flush() { newest_.flush(); }

    /// The pages in force after the last snapshot of the series, by package.
    const CurrentStates::Pages& newest_pages(std::int64_t series_id) {
        return newest_.pages(series_id);
    }

    /// Makes `state` the package's specs, and `page` (nothing: none) its page, from `from` until
    /// `to`, anywhere in the history. Reads all of the package's history, but where the last set()
    /// of the package was before, and until the same moment: a history that is loaded behind a
    /// later snapshot takes the time of its states.
    HistoryChange set(std::int64_t series_id, std::int64_t package_id, Moment from, Moment to,
                      const std::vector<SeenSpec>& state, const std::optional<SeenPage>& page);

    /// The page at `moment`.
    std::optional<SeenPage> page_at(std::int64_t series_id, std::int64_t package_id, Moment moment);

    /// Makes `page` the page from `from` until `to`, and leaves the specs as they are.
    void set_page(std::int64_t series_id, std::int64_t package_id, Moment from, Moment to,
                  const std::optional<SeenPage>& page);

    /// The specs at `moment`, in order of look and spec.
    std::vector<SeenSpec> state_at(std::int64_t series_id, std::int64_t package_id, Moment moment);

    /// Makes the package's specs and page from `from` until `to` what they were before.
    HistoryChange hold(std::int64_t series_id, std::int64_t package_id, Moment from, Moment to);

    /// The packages with an interval that begins or ends at the moment: only those can be another
    /// where its snapshot does not observe them.
    std::vector<std::int64_t> packages_changed_at(std::int64_t series_id, Moment moment);

    /// The first moment after `moment` at which a snapshot of the series observed the package, or
    /// forever.
    Moment next_observation(std::int64_t series_id, std::int64_t package_id, Moment moment);

  private:
    using PackageOfSeries = std::pair<std::int64_t, std::int64_t>;  // series, package
    using SpecKey = std::pair<std::int64_t, std::int64_t>;          // look, spec
    using StackSet = std::int64_t;
    // What a row of presence says of its interval.
    struct Seen {
        StackSet stack_set = 0;
        bool came = true;   // where it begins; else the spec was there before, in other stacks
        bool went = false;  // where it ends

        bool operator==(const Seen&) const = default;
    };
    using Timelines = std::map<SpecKey, Timeline<Seen>>;
    // All intervals of a package that touch the time from `from` until `to`.
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
