#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "reports/engine/server/connection.hpp"
#include "reports/postgresql/rows/ledger_tables.hpp"

namespace cacheledger {

/// Whose rows are the right ones: those of the file of a ledger, or of the server.
enum class RightRows { file, server };

/// In what the rows of a published table differ from those of the ledger.
struct TableDifference {
    const LedgerTable* table = nullptr;
    std::int64_t rows = 0;       ///< of the ledger
    std::int64_t published = 0;  ///< of the server
    std::int64_t inserted = 0;   ///< rows that only the right side has
    std::int64_t updated = 0;    ///< rows with the same key and other values
    std::int64_t deleted = 0;    ///< rows that only the other side has
    std::uint64_t checksum = 0;  ///< of the ledger's rows, whatever their order
    std::uint64_t published_checksum = 0;
    std::size_t respelled = 0;  ///< texts that PostgreSQL can't store as they are

    std::vector<std::string> old_keys{};  ///< of rows that are deleted or updated, as lines of COPY
    std::string new_lines{};              ///< of rows that are inserted or updated, for COPY

    /// The number of rows that differ.
    std::int64_t changed() const { return inserted + updated + deleted; }

    bool is_empty() const { return changed() == 0; }
};

/// Compares all rows of a table. `schema`: of the published ledger, in quotes. Throws
/// SQLite::Exception and what PostgresConnection throws.
TableDifference compare_rows(const SQLite::Database& ledger, PostgresConnection& connection,
                             const std::string& schema, const LedgerTable& table,
                             RightRows right = RightRows::file);

/// Makes the server's rows those of the ledger. Only rows that differ are written.
void write_difference(PostgresConnection& connection, const std::string& schema,
                      const TableDifference& difference);

}  // namespace cacheledger
