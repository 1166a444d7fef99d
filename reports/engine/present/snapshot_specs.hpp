#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "reports/engine/catalog/report.hpp"
#include "reports/engine/query/run_query.hpp"
#include "reports/render/table/result_table.hpp"
#include "schema/ledger/graph/spec_graph.hpp"
#include "schema/text/embedded_text.hpp"

namespace cacheledger {

/// The specs that a snapshot lists.
struct SnapshotSpecs {
    SpecSet specs;
    std::vector<std::vector<std::uint32_t>> by_package;  ///< those of each package
};

/// `snapshot`: its name. None if there is no such snapshot. Throws SQLite::Exception.
SnapshotSpecs specs_of_snapshot(const SQLite::Database& database, const Value& snapshot);

/// The specs of a query whose first column is a spec_id. The parameters and what it throws are
/// those of run_query().
SpecSet specs_of_query(const SQLite::Database& database, const std::string& origin,
                       const std::string& sql, const Arguments& arguments);

/// held_snapshot.sql.
extern const std::span<const EmbeddedText> present_texts;

/// The builds of one snapshot. While this object lives, the connection has a temporary view
/// `present_specs`, which hides the ledger's helper view of that name and has only the rows of this
/// snapshot. They are found once, so of a long history each report about the snapshot reads some
/// ten thousand rows and not all of `presence`. Queries about other snapshots must not run
/// meanwhile.
class HeldSnapshot {
  public:
    /// `name` is that of a snapshot. Throws SQLite::Exception, and Interrupted if a progress
    /// handler stopped it.
    HeldSnapshot(const SQLite::Database& database, const std::string& name);
    ~HeldSnapshot();
    HeldSnapshot(const HeldSnapshot&) = delete;
    HeldSnapshot& operator=(const HeldSnapshot&) = delete;

    /// Whether the report is one of the program's own, and about the snapshot of its parameter
    /// `at`.
    static bool is_read_by(const Report& report);

  private:
    const SQLite::Database& database_;
};

}  // namespace cacheledger
