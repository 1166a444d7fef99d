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
struct ListedSpecs {
    SpecSet specs;
    std::vector<std::vector<std::uint32_t>> by_package;  ///< those of each package
};

/// `snapshot`: its name. None if there is no such snapshot. Throws SQLite::Exception.
ListedSpecs listed_specs(const SQLite::Database& database, const Value& snapshot);

/// The rows of a query whose first column is a spec_id. Throws what run_query() throws.
SpecSet specs_of(const SQLite::Database& database, const std::string& sql,
                 const Arguments& arguments);

}  // namespace cacheledger
