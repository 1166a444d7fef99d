#pragma once

#include <optional>
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

/// For a report of what recipes say: a note for each package repository of which the ledger does
/// not have that, and one on the builds of namespaces whose recipes the ledger does not have. Asks
/// the looks that are filtered (temporary view asked_looks).
std::vector<std::string> notes_on_recipes(AskedLedger& ledger, const Report& report,
                                          const Arguments& arguments);

/// A note if a report of wish lists or of recipes has no rows because the ledger has no package
/// repository.
std::vector<std::string> notes_on_no_repository(AskedLedger& ledger, const Report& report,
                                                const ResultTable& table);

/// A sentence that says which inputs have sizes, if the rows of a report of sizes/ count binaries
/// and the size of none is known.
std::optional<std::string> note_on_sizes(const Report& report, const ResultTable& table);

}  // namespace cacheledger
