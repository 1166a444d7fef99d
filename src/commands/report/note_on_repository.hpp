#pragma once

#include <string>
#include <vector>

#include "reports/engine/catalog/report.hpp"
#include "reports/engine/query/run_query.hpp"
#include "reports/render/table/result_table.hpp"
#include "src/commands/asked/asked_ledger.hpp"

namespace cacheledger {

/// For a report of what recipes say: a note for each package repository of which the ledger does
/// not have that, and one on the builds of namespaces whose recipes the ledger does not have. Asks
/// the looks that are filtered (temporary view asked_looks).
std::vector<std::string> notes_on_recipes(AskedLedger& ledger, const Report& report,
                                          const Arguments& arguments);

/// A note if a report of wish lists or of recipes has no rows because the ledger has no package
/// repository.
std::vector<std::string> notes_on_no_repository(AskedLedger& ledger, const Report& report,
                                                const ResultTable& table);

}  // namespace cacheledger
