#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

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

/// The findings that a run adds to a ledger. One that is deleted and written again is not new: a
/// snapshot that is replaced has most of its findings again.
///
/// While this object lives, a trigger of the connection keeps them in the temporary table
/// `new_finding`. Make it outside of a transaction, at most one for a connection.
class NewFindings {
  public:
    explicit NewFindings(SQLite::Database& database);
    ~NewFindings();
    NewFindings(const NewFindings&) = delete;
    NewFindings& operator=(const NewFindings&) = delete;

    /// How many there are so far of each kind, most first.
    std::vector<std::pair<std::string, std::int64_t>> counts() const;

  private:
    SQLite::Database& database_;
};

/// For each of these snapshots that has no specs, although the one before it in its series has
/// some: a line that says so.
std::vector<std::string> notes_on_empty_snapshots(SQLite::Database& database,
                                                  const std::vector<std::string>& names);

}  // namespace cacheledger
