#pragma once

#include <SQLiteCpp/Database.h>

#include <vector>

#include "reports/drift_row.hpp"
#include "reports/look_table.hpp"
#include "reports/present_looks.hpp"
#include "reports/spec_hashes.hpp"
#include "reports/state_comparison.hpp"
#include "schema/snapshot.hpp"

namespace cacheledger {

/// What changed from one snapshot to another, and what it took to find that out.
///
/// rows() are the rows of the view spec_drift, in no particular order. What the view asks for each
/// spec anew is asked here once a look; tests compare the two. Refers to the database, which may
/// not change while this lives.
class Drift {
  public:
    /// Throws SQLite::Exception where the database can't be read, as the other members do.
    Drift(const SQLite::Database& database, const Snapshot& before, const Snapshot& after);
    Drift(const Drift&) = delete;
    Drift& operator=(const Drift&) = delete;

    const std::vector<DriftRow>& rows() const { return rows_; }
    const std::vector<MovedSpec>& moved() const { return comparison_.moved; }
    LookTable& looks() { return looks_; }
    PresentLooks& present() { return present_; }
    SpecHashes& hashes() { return hashes_; }

  private:
    Snapshot before_, after_;
    StateComparison comparison_;
    LookTable looks_;
    PresentLooks present_;
    SpecHashes hashes_;
    std::vector<DriftRow> rows_;
};

}  // namespace cacheledger
