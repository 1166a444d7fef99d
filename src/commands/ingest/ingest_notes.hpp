#pragma once

#include <SQLiteCpp/Database.h>

#include <string>
#include <vector>

#include "ingest/runs/files/ingest.hpp"

namespace cacheledger {

/// Prints what the user should know of a run, as notes (src/options/command_line/options.hpp): how
/// many findings are new, and which snapshots are empty although those before them are not.
/// `loaded`: the names of the snapshots that were loaded, as far as they are known.
void print_ingest_notes(SQLite::Database& database, const NewFindings& findings,
                        const std::vector<std::string>& loaded);

}  // namespace cacheledger
