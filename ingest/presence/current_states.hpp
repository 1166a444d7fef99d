#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "schema/names/moment.hpp"
#include "schema/sqlite/batch_insert.hpp"

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

/// By how much a change moved the counts of the snapshots in its time.
struct HistoryChange {
    std::int64_t specs = 0;
    std::int64_t packages = 0;
};

/// What is in force after the last snapshot of each series, in memory as far as it was asked for,
/// and the changes to it that the next snapshot makes. Rows wait until flush(), so that they are
/// written in the order of their keys, which is several times as fast as any other; rows that begin
/// and end meanwhile are written once. A state takes the time and the memory of what it holds and
/// changes, however long the history; only where a package is first asked for is all of its history
/// read.
class CurrentStates {
  public:
    explicit CurrentStates(SQLite::Database& database);

    /// Makes `state` the package's specs, and `page` (nothing: none) its page, from `from` on,
    /// which is after all that the series has of the package.
    HistoryChange append(std::int64_t series_id, std::int64_t package_id, Moment from,
                         std::vector<SeenSpec> state, const std::optional<SeenPage>& page);

    /// append() that leaves the specs as they are.
    void append_page(std::int64_t series_id, std::int64_t package_id, Moment from,
                     const std::optional<SeenPage>& page);

    struct OpenPage {
        SeenPage page;
        Moment from = 0;
        bool is_written = false;
    };
    using Pages = std::unordered_map<std::int64_t, OpenPage>;

    /// The pages in force, by package.
    Pages& pages(std::int64_t series_id);

    /// Writes what waits.
    void flush();

    /// To be called before the package is changed in the ledger by others. Writes what waits.
    void forget(std::int64_t series_id, std::int64_t package_id);

  private:
    using PackageOfSeries = std::pair<std::int64_t, std::int64_t>;  // series, package
    struct OpenSpec {
        SeenSpec spec;
        Moment from = 0;
        bool came = false;  // it was not there before, in other stacks
        bool is_written = false;
    };
    struct EndedSpec {
        OpenSpec open;  // as it was written, if it was
        Moment to = 0;
        bool went = false;  // it is not there from then on, in other stacks
    };
    struct EndedPage {
        SeenPage page;
        Moment from = 0;
        Moment to = 0;
    };
    struct State {
        std::vector<OpenSpec> open;    // sorted by look and spec
        std::vector<EndedSpec> ended;  // whose end is not written yet
        std::vector<EndedPage> ended_pages;
    };

    State& state_of(const PackageOfSeries& package);
    void write_specs(const PackageOfSeries& package, State& state);
    void write_pages(const PackageOfSeries& package, State& state);

    using Id = std::int64_t;
    SQLite::Statement select_specs_, select_pages_, end_page_;
    using Flag = std::int64_t;
    BatchInsert<Id, Id, Id, Id, Moment, std::optional<Moment>, std::optional<Id>, Flag, Flag>
        insert_specs_, end_specs_;
    BatchInsert<Id, Id, Moment, std::optional<Moment>, Id, std::string> insert_pages_;
    std::map<PackageOfSeries, State> states_;
    std::map<std::int64_t, Pages> pages_;  // by series
    std::set<PackageOfSeries> waiting_;
    std::size_t waiting_rows_ = 0;
};

}  // namespace cacheledger
