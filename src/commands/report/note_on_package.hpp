#pragma once

#include <string>
#include <vector>

#include "reports/engine/catalog/report.hpp"
#include "reports/engine/query/run_query.hpp"
#include "reports/render/table/result_table.hpp"
#include "src/commands/asked/asked_ledger.hpp"

namespace cacheledger {

/// A note if the rows of a report say nothing because the snapshots lack the package that is asked.
std::vector<std::string> notes_on_package(AskedLedger& ledger, const Report& report,
                                          const Arguments& arguments, const ResultTable& table);

}  // namespace cacheledger
