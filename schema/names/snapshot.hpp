#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "schema/names/moment.hpp"

namespace cacheledger {

/// One row of the table snapshot: the state of one tag at one moment.
struct Snapshot {
    std::int64_t id = 0;
    std::int64_t series_id = 0;
    Moment taken_at = 0;
    std::string tag;
    std::string name;
};

/// The snapshot that people mean by `text`:
///
/// - develop@2025-03-30T06:00:00Z: tag and moment, which may be cut (develop@2025-03-30) where one
///   snapshot fits
/// - develop-2025-03-30: a dated tag
/// - develop: the newest of that tag
/// - latest: the newest of all (among equals develop, else the first by name)
/// - develop~1, latest~2: the one, or the two, before it in its series
///
/// Throws UsageError where none fits or several do, and says which there are: several may be meant
/// by `latest` where an older program let a tag be called so.
Snapshot find_snapshot(SQLite::Database& database, std::string_view text);

/// What `latest` means where nobody typed it: the newest of all, whatever tags are called. Throws
/// UsageError where the ledger is empty.
Snapshot newest_snapshot(SQLite::Database& database);

}  // namespace cacheledger
