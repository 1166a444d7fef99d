#include "ingest/rows/nodes/ledger_nodes.hpp"

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <vector>

#include "schema/specs/constraints/target_set.hpp"
#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

namespace {

// The ids of the systems whose target neither the program nor a source placed, as JSON. A ledger of
// before 2026-11 has nodes that say where such a target stands, and what they say was not kept.
std::string systems_to_place(SQLite::Database& database) {
    SQLite::Statement systems(database,
                              "SELECT arch_id, target FROM arch "
                              "WHERE target NOT IN (SELECT target FROM target_parent)");
    std::vector<std::int64_t> ids;
    while (systems.executeStep()) {
        if (!is_of_archspec(systems.getColumn(1).getString())) {
            ids.push_back(systems.getColumn(0).getInt64());
        }
    }
    return fmt::format("[{}]", fmt::join(ids, ","));
}

}  // namespace

LedgerNodes::LedgerNodes(SQLite::Database& database) : database_(database) {
    SQLite::Statement query(
        database,
        "SELECT hash, digest FROM node JOIN spec USING (spec_id) "
        "WHERE form >= ?1 AND NOT read_again "
        "AND (?2 = '[]' OR target_definition_id IS NULL OR look_id NOT IN (SELECT look_id FROM "
        "look WHERE arch_id IN (SELECT value FROM json_each(?2))))");
    rebind(query, first_known_form, systems_to_place(database));
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
