#include "ingest/rows/nodes/ledger_nodes.hpp"

#include <SQLiteCpp/Statement.h>

#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

LedgerNodes::LedgerNodes(SQLite::Database& database) : database_(database) {
    SQLite::Statement query(database,
                            "SELECT hash, digest FROM node JOIN spec USING (spec_id) "
                            "WHERE form >= ? AND NOT read_again");
    rebind(query, first_known_form);
    while (query.executeStep()) {
        // Of a hash that two packages claim, the first row counts.
        digests_.emplace(dag_hash(query.getColumn(0).getText()),
                         bytes_column<TextDigest>(query, 1));
    }
}

std::optional<std::string> LedgerNodes::compiler_of(const DagHash& hash) const {
    SQLite::Statement query(database_,
                            "SELECT c.spec FROM spec x JOIN look l USING (look_id) "
                            "JOIN compiler c USING (compiler_id) WHERE x.hash = ?");
    rebind(query, std::string(text_of(hash)));
    return query.executeStep() ? std::optional(query.getColumn(0).getString()) : std::nullopt;
}

}  // namespace cacheledger
