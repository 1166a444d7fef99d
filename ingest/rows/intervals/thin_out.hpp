#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <set>

#include "schema/ledger/names/moment.hpp"
#include "schema/text/progress.hpp"

namespace cacheledger {

/// Makes the history of all packages of a series (the tables presence and page_presence), and the
/// counts of its snapshots, as if those at the moments `gone` had never been loaded: each package
/// keeps what it had at the observations that stay. Reads and writes each package once, however
/// many snapshots go. Call this while the rows of these snapshots are there, in the caller's
/// transaction. Does not know of unobserved stacks.
/// `progress` counts packages.
void thin_out(SQLite::Database& database, std::int64_t series_id, const std::set<Moment>& gone,
              const Progress& progress);

}  // namespace cacheledger
