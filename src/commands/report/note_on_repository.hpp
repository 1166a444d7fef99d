#pragma once

#include <string>
#include <vector>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/render/table/result_table.hpp"
#include "src/commands/asked/asked_ledger.hpp"

namespace cacheledger {

/// A note if a report of wish lists or of recipes has no rows because the ledger has no package
/// repository.
std::vector<std::string> notes_on_no_repository(AskedLedger& ledger, const Report& report,
                                                const ResultTable& table);

}  // namespace cacheledger
