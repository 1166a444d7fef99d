#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstdint>
#include <optional>
#include <string>
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
/// package at a time. Writes in the caller's transaction, and only rows that differ.
class PackageHistory {
  public:
    explicit PackageHistory(SQLite::Database& database);

    /// By how much a change moved the counts of the snapshots in its time.
    struct Change {
        std::int64_t specs = 0;
        std::int64_t packages = 0;
    };

    /// Makes `state` the package's specs, and `page` (nothing: none) its page, from `from` until
    /// `to`.
    Change set(std::int64_t series_id, std::int64_t package_id, Moment from, Moment to,
               const std::vector<SeenSpec>& state, const std::optional<SeenPage>& page);

    /// The page at `moment`.
    std::optional<SeenPage> page_at(std::int64_t series_id, std::int64_t package_id, Moment moment);

    /// Makes `page` the page from `from` until `to`, and leaves the specs as they are.
    void set_page(std::int64_t series_id, std::int64_t package_id, Moment from, Moment to,
                  const std::optional<SeenPage>& page);

    /// The specs at `moment`, in order of look and spec.
    std::vector<SeenSpec> state_at(std::int64_t series_id, std::int64_t package_id, Moment moment);

    /// The first moment after `moment` at which a snapshot of the series observed the package, or
    /// forever.
    Moment next_observation(std::int64_t series_id, std::int64_t package_id, Moment moment);

  private:
    using SpecKey = std::pair<std::int64_t, std::int64_t>;  // look, spec
    using StackSet = std::int64_t;

    void write(std::int64_t series_id, std::int64_t package_id, const SpecKey& key,
               const Timeline<StackSet>& before, const Timeline<StackSet>& after);

    SQLite::Statement select_specs_, delete_spec_, insert_spec_, select_pages_, delete_page_,
        insert_page_, next_observation_;
};

}  // namespace cacheledger
