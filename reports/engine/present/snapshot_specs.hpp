#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <string>
#include <vector>

#include "reports/engine/query/run_query.hpp"
#include "reports/render/table/value.hpp"
#include "schema/ledger/graph/spec_graph.hpp"

namespace cacheledger {

/// The specs that a snapshot lists.
struct SnapshotSpecs {
    SpecSet specs;
    std::vector<std::vector<std::uint32_t>> by_package;  ///< those of each package
};

/// `snapshot`: its name. None if there is no such snapshot. Throws SQLite::Exception.
SnapshotSpecs specs_of_snapshot(const SQLite::Database& database, const Value& snapshot);

/// The specs of a query whose first column is a spec_id. The parameters and what it throws are
/// those of run_query().
SpecSet specs_of_query(const SQLite::Database& database, const std::string& origin,
                       const std::string& sql, const Arguments& arguments);

}  // namespace cacheledger
