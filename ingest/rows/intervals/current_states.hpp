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

#include "schema/ledger/names/moment.hpp"
#include "schema/sqlite/statements/batch_insert.hpp"

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

/// The change of the counts (`specs`, `packages`) of all snapshots in a time.
struct HistoryChange {
    std::int64_t specs = 0;
    std::int64_t packages = 0;
};

/// The states in force: for each series, the specs and pages that its last snapshot has. A package
/// is read when it is first needed and then kept in memory. append() makes a state end and the next
/// one begin.
///
/// Changed rows wait in memory until flush(). They are then written in the order of their keys,
/// which is several times as fast as any other order, and a row that began and ended meanwhile is
/// written once. Time and memory follow the size of the states and of their changes. The first
/// read of a package takes time by the length of its history.
///
/// Writes in the caller's transaction. After a rollback this object must not be used again.
class CurrentStates {
  public:
    explicit CurrentStates(SQLite::Database& database);

    /// From `from` on, the package has the specs `state` and the page `page` (nullopt: no page).
    /// The ledger must not have a later state of the package in the series.
    HistoryChange append(std::int64_t series_id, std::int64_t package_id, Moment from,
                         std::vector<SeenSpec> state, const std::optional<SeenPage>& page);

    /// Like append(), but the package keeps its specs.
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

    /// Writes the rows that wait.
    void flush();

    /// Writes the rows that wait and forgets the package. Call this before other code changes the
    /// package in the ledger.
    void forget(std::int64_t series_id, std::int64_t package_id);

  private:
    using PackageOfSeries = std::pair<std::int64_t, std::int64_t>;  // series, package
    struct OpenSpec {
        SeenSpec spec;
        Moment from = 0;
        bool came = false;  // else the spec was there before, in other stacks
        bool is_written = false;
    };
    struct EndedSpec {
        OpenSpec open;
        Moment to = 0;
        bool went = false;  // else the spec is there afterwards, in other stacks
    };
    struct EndedPage {
        SeenPage page;
        Moment from = 0;
        Moment to = 0;
    };
    struct State {
        std::vector<OpenSpec> open;    // sorted by look and spec
        std::vector<EndedSpec> ended;  // their end is not written yet
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
