#pragma once

#include <optional>
#include <string>

#include "reports/engine/catalog/report.hpp"
#include "reports/render/table/result_table.hpp"

namespace cacheledger {

/// A sentence that says which inputs have sizes, if the rows of a report of sizes/ count binaries
/// and the size of none is known.
std::optional<std::string> note_on_sizes(const Report& report, const ResultTable& table);

}  // namespace cacheledger
