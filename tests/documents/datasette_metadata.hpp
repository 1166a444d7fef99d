#pragma once

#include <string>

#include "reports/engine/catalog/report.hpp"

namespace cacheledger {

/// docs/metadata.json: the texts of the schema and the canned reports, for Datasette.
std::string datasette_metadata();

/// The SQL of a report as a canned query of Datasette: without its comments, and with the defaults
/// of its parameters, which apply where a parameter is NULL or empty.
std::string canned_query(const Report& report);

/// Whether it is a query that every reader of a ledger can run: not one that reads a view that the
/// program makes first.
bool is_canned(const Report& report);

}  // namespace cacheledger
