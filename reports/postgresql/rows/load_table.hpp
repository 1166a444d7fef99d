#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "reports/engine/server/connection.hpp"
#include "reports/postgresql/rows/ledger_tables.hpp"

namespace cacheledger {

struct LoadedRows {
    std::int64_t rows = 0;
    std::size_t respelled = 0;  ///< texts that PostgreSQL can't store as they are
};

/// Copies all rows of a table to the server, whose table is empty. `schema`: in quotes. Throws
/// SQLite::Exception and what PostgresConnection throws.
LoadedRows load_table(const SQLite::Database& ledger, PostgresConnection& connection,
                      const std::string& schema, const LedgerTable& table);

/// What it would copy. Throws SQLite::Exception.
LoadedRows count_rows(const SQLite::Database& ledger, const LedgerTable& table);

}  // namespace cacheledger
