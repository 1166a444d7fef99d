#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "ingest/rows/intervals/interval_table.hpp"
#include "schema/ledger/names/moment.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/text/progress.hpp"

namespace cacheledger {

/// The change of the counts of all snapshots from `from` until `until`.
struct CountChange {
    Moment from = 0;
    Moment until = 0;
    std::int64_t specs = 0;
    std::int64_t packages = 0;
};

/// Changes to the counts (`specs`, `packages`) of the snapshots of a series.
class SnapshotCounts {
  public:
    void add(const CountChange& change);

    /// Adds the changes to the snapshots of the series.
    void write(SQLite::Database& database, std::int64_t series_id) const;

  private:
    std::map<std::pair<Moment, Moment>, CountChange> changes_;
};

/// What the series have over time: the specs and the page of each package, and the roots of lock
/// files. A state that is set at a moment holds until the next snapshot that observes the same
/// package, or roots. Writes only rows that differ, in the caller's transaction. After a rollback
/// this object must not be used again.
///
/// Rows of the newest snapshot wait in memory: call flush() before other code reads the tables, and
/// before the transaction is committed. Only one object of this class may be in use.
class PresenceHistory {
  public:
    explicit PresenceHistory(SQLite::Database& database);

    /// Call this when a snapshot is made. `is_newest`: the series has no later snapshot.
    void begin(std::int64_t series_id, Moment taken_at, bool is_newest);

    /// Whether what is set at the moment holds for ever, and waits: it is the moment of the newest
    /// snapshot of the series, and since begin() nothing was set at another one.
    bool can_append(std::int64_t series_id, Moment moment) const;

    /// At `moment`, the package has the specs `state` and the page `page`; nullopt: no page, and so
    /// no specs.
    CountChange set(std::int64_t series_id, std::int64_t package_id, Moment moment,
                    std::vector<SeenSpec> state, const std::optional<SeenPage>& page);

    /// Like set(), for a page that the package has at `moment`, perhaps with another path. Returns
    /// false and does nothing if the package has another page.
    bool keep(std::int64_t series_id, std::int64_t package_id, Moment moment, const SeenPage& page);

    /// At `moment`, the package has what it had just before.
    CountChange hold(std::int64_t series_id, std::int64_t package_id, Moment moment);

    /// The packages that have a page at `moment`.
    std::vector<std::int64_t> packages_at(std::int64_t series_id, Moment moment);

    /// The packages with an interval that begins or ends at one of the moments. Only these change
    /// if the snapshots of these moments are removed, or do not observe them.
    std::vector<std::int64_t> packages_changed_at(std::int64_t series_id,
                                                  const std::set<Moment>& moments);

    /// At `moment`, the series has these roots.
    void set_roots(std::int64_t series_id, Moment moment, const std::vector<SeenRoot>& roots);

    /// The roots at `moment`, sorted.
    std::vector<SeenRoot> roots_at(std::int64_t series_id, Moment moment) {
        return roots_.at({series_id}, moment);
    }

    /// Makes the history of a series, and the counts of its snapshots, as if the snapshots at the
    /// moments `gone` had never been loaded: each package keeps what it had at the observations
    /// that stay. Reads and writes each package once, however many snapshots go. Call this while
    /// the rows of these snapshots are there. Does not know of unobserved stacks. `progress` counts
    /// packages.
    void thin_out(std::int64_t series_id, const std::set<Moment>& gone, const Progress& progress);

    /// Writes the rows that wait.
    void flush();

  private:
    using Package = SpecIntervals::Group;

    void know_pages(std::int64_t series_id, Moment moment);
    Moment until(const Package& package, Moment moment);
    void write_through(std::int64_t series_id, Moment moment);
    void forget();

    SQLite::Database& database_;
    IntervalTable<SpecIntervals> specs_;
    IntervalTable<PageIntervals> pages_;
    IntervalTable<RootIntervals> roots_;
    Select<Moment> next_observation_, next_roots_;
    std::map<std::int64_t, Moment> appending_;  // by series
    std::set<std::int64_t> known_pages_;        // the series whose open pages have been read
};

}  // namespace cacheledger
