#pragma once

#include <SQLiteCpp/Database.h>

#include "ingest/snapshots/load.hpp"
#include "ingest/sources/pages/source.hpp"
#include "schema/text/progress.hpp"

namespace cacheledger {

/// Loads all that the source yields, in one transaction. An existing snapshot with the same content
/// stays as it is. Records when the series were looked at. `progress` gets the number of states
/// taken, and of all.
///
/// Throws InputError with every file that can't be loaded, or with what differs from an existing
/// snapshot; UsageError for a tag that can't name a snapshot; SQLite::Exception if the database
/// fails; and what the source throws.
IngestResult ingest(SQLite::Database& database, Source& source, const IngestOptions& options,
                    const Progress& progress);

}  // namespace cacheledger
