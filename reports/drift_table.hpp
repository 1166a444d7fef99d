#pragma once

#include <SQLiteCpp/Database.h>

#include <memory>
#include <string_view>

#include "reports/drift.hpp"
#include "schema/snapshot.hpp"

namespace cacheledger {

/// While it lives, a query that reads spec_drift gets the rows of Drift instead of those of
/// the view: the same, sooner. It is a virtual table of that name among the temporary ones, which
/// hides the view (main.spec_drift), and makes the rows of whichever pair of snapshots a query asks
/// for.
///
/// It keeps those of the last pair, so it may live no longer than the ledger stays as it is: for
/// one statement, or in a transaction.
class DriftTable {
  public:
    /// Makes the table, or nothing where the database has one already: whoever made that keeps it.
    /// Throws SQLite::Exception.
    explicit DriftTable(const SQLite::Database& database);
    ~DriftTable();
    DriftTable(const DriftTable&) = delete;
    DriftTable& operator=(const DriftTable&) = delete;

    /// Whether a query may read spec_drift.
    static bool is_read_by(std::string_view sql) {
        return sql.find("spec_drift") != std::string_view::npos;
    }

    /// What the rows of a pair are taken from. Throws as Drift does.
    std::shared_ptr<const Drift> between(const Snapshot& before, const Snapshot& after);

    const SQLite::Database& database() const { return database_; }

  private:
    const SQLite::Database& database_;
    bool is_own_ = false;
    std::int64_t before_id_ = 0, after_id_ = 0;
    std::shared_ptr<const Drift> drift_;
};

}  // namespace cacheledger
