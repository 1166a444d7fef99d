#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <string>
#include <vector>

#include "reports/engine/server/connection.hpp"
#include "reports/postgresql/schemas/published_schema.hpp"
#include "schema/text/progress.hpp"

namespace cacheledger {

/// A table of the ledger beside the published one.
struct CheckedTable {
    std::string table;
    std::int64_t rows = 0;
    std::int64_t published_rows = 0;
    std::string checksum;  ///< of all rows, in any order, as 16 hex digits
    std::string published_checksum;
    std::string problem;  ///< "2 rows are missing; 1 look_id is of no row of look"; empty for none
};

/// Compares every row of a published ledger with the ledger, and finds ids that are of no row: the
/// server does not look for these. Reads one state, and writes nothing. The last one is the table
/// `published`, which says what was published. Throws UsageError if there is no such ledger on the
/// server, and what PostgresConnection and SQLite throw. `progress` counts tables.
std::vector<CheckedTable> check_published(SQLite::Database& ledger, PostgresConnection& connection,
                                          const PublishedName& name,
                                          const Progress& progress = no_progress);

}  // namespace cacheledger
