#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/engine/server/connection.hpp"
#include "reports/postgresql/schemas/published_name.hpp"
#include "schema/sqlite/transactions/ledger_state.hpp"

namespace cacheledger {

/// The row of the table `published`: what a published ledger is a copy of.
struct PublishedRow {
    LedgerState state;
    std::int64_t schema_version = 0;  ///< of the ledger
    std::string layout;               ///< published_layout()
    std::string program;              ///< "cacheledger 0.1.0"
    std::string published_at;         ///< 2025-03-30T06:00:00Z; written by the server

    /// CREATE TABLE, with a row without content. `schema`: in quotes.
    static std::string create_statement(const std::string& schema);
};

/// Reads the row. Nothing if there is no schema of this name; an empty one if somebody deleted the
/// row. Throws UsageError if there is a schema that is no published ledger.
std::optional<PublishedRow> read_published(PostgresConnection& connection,
                                           const PublishedName& name);

/// Like read_published(), but throws UsageError, which names the ledgers that are there, if this
/// one is not.
PublishedRow require_published(PostgresConnection& connection, const PublishedName& name);

/// The names of all ledgers in the database.
std::vector<std::string> published_names(PostgresConnection& connection);

/// Locks the row until the end of the transaction, where a server has no advisory locks. Throws
/// DatabaseError if it is another than `published` by now.
void lock_published(PostgresConnection& connection, const PublishedName& name,
                    const PublishedRow& published);

/// Writes the row, with the time of the transaction.
void write_published(PostgresConnection& connection, const PublishedName& name,
                     const PublishedRow& row);

}  // namespace cacheledger
