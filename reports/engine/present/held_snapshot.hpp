#pragma once

#include <SQLiteCpp/Database.h>

#include <span>
#include <string>

#include "reports/engine/catalog/report.hpp"
#include "schema/text/embedded_text.hpp"

namespace cacheledger {

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
