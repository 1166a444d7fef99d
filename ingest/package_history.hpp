#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ingest/timeline.hpp"
#include "schema/moment.hpp"

namespace cacheledger {

/// One spec of a package's state, and its stacks.
struct SeenSpec {
    std::int64_t look_id = 0;
    std::int64_t spec_id = 0;
    std::int64_t stack_set_id = 0;  ///< 0: the page does not say
};

/// The page that gave a package's state.
struct SeenPage {
    std::int64_t page_id = 0;
    std::string path;

    bool operator==(const SeenPage&) const = default;
};

/// The history of packages in the ledger: the tables presence and page_presence, read and changed a
/// package at a time. Writes in the caller's transaction, and only rows that differ; one that is
/// rolled back leaves it useless. There must be no second one in use beside it.
class PackageHistory {
  public:
    explicit PackageHistory(SQLite::Database& database);

    /// By how much a change moved the counts of the snapshots in its time.
    struct Change {
        std::int64_t specs = 0;
        std::int64_t packages = 0;
    };

    /// To be called where a snapshot is made; `is_newest`: the series has no later one.
    void begin(std::int64_t series_id, Moment taken_at, bool is_newest);

    /// Whether the packages of the snapshot can be written with append(): it is the newest of its
    /// series, and nothing else was written in the series since its begin().
    bool can_append(std::int64_t series_id, Moment taken_at) const;

    /// Makes `state` the package's specs, and `page` (nothing: none) its page, from `from` on,
    /// where can_append(). Takes time by the size of the state that was in force and of the new
    /// one, however long the history.
    Change append(std::int64_t series_id, std::int64_t package_id, Moment from,
                  std::vector<SeenSpec> state, const std::optional<SeenPage>& page);

    /// append() that leaves the specs as they are.
    void append_page(std::int64_t series_id, std::int64_t package_id, Moment from,
                     const std::optional<SeenPage>& page);

    /// The pages in force after the last snapshot of the series, by package.
    using Pages = std::unordered_map<std::int64_t, SeenPage>;
    const Pages& newest_pages(std::int64_t series_id);

    /// Makes `state` the package's specs, and `page` (nothing: none) its page, from `from` until
    /// `to`, anywhere in the history.
    Change set(std::int64_t series_id, std::int64_t package_id, Moment from, Moment to,
               const std::vector<SeenSpec>& state, const std::optional<SeenPage>& page);

    /// The page at `moment`.
    std::optional<SeenPage> page_at(std::int64_t series_id, std::int64_t package_id, Moment moment);

    /// Makes `page` the page from `from` until `to`, and leaves the specs as they are.
    void set_page(std::int64_t series_id, std::int64_t package_id, Moment from, Moment to,
                  const std::optional<SeenPage>& page);

    /// The specs at `moment`, in order of look and spec.
    std::vector<SeenSpec> state_at(std::int64_t series_id, std::int64_t package_id, Moment moment);

    /// Makes the package's specs and page from `from` until `to` what they were before.
    Change hold(std::int64_t series_id, std::int64_t package_id, Moment from, Moment to);

    /// The packages with an interval that begins or ends at the moment: only those can be another
    /// where its snapshot does not observe them.
    std::vector<std::int64_t> packages_changed_at(std::int64_t series_id, Moment moment);

    /// The first moment after `moment` at which a snapshot of the series observed the package, or
    /// forever.
    Moment next_observation(std::int64_t series_id, std::int64_t package_id, Moment moment);

  private:
    using SpecKey = std::pair<std::int64_t, std::int64_t>;  // look, spec
    using StackSet = std::int64_t;
    using PackageOfSeries = std::pair<std::int64_t, std::int64_t>;  // series, package
    struct OpenSpec {
        SeenSpec spec;
        Moment from = 0;
    };
    using OpenSpecs = std::vector<OpenSpec>;  // sorted by look and spec

    OpenSpecs& open_specs(std::int64_t series_id, std::int64_t package_id);
    Pages& open_pages(std::int64_t series_id);
    void end_append(std::int64_t series_id, std::int64_t package_id);

    void write(std::int64_t series_id, std::int64_t package_id, const SpecKey& key,
               const Timeline<StackSet>& before, const Timeline<StackSet>& after);

    SQLite::Statement select_specs_, delete_spec_, insert_spec_, select_pages_, delete_page_,
        insert_page_, select_changed_, next_observation_, select_open_specs_, end_spec_,
        select_open_pages_, end_page_;
    std::map<std::int64_t, Moment> appending_;  // by series
    // What is in force after the last snapshot of each series: the size of a snapshot, and all that
    // the next one needs to know of the history.
    std::map<PackageOfSeries, OpenSpecs> open_specs_;
    std::map<std::int64_t, Pages> open_pages_;
};

}  // namespace cacheledger
