#pragma once

#include <string>
#include <vector>

#include "reports/table/result_table.hpp"

namespace cacheledger {

/// A condition that somebody set for a build of CI, and whether it holds.
struct Gate {
    std::string name;  ///< as it was typed: "package-removed", "specs-5%"
    bool has_failed = false;
    std::string message;  ///< by how much: "1 package-removed: hwloc (2 specs)"
};

bool has_failed(const std::vector<Gate>& gates);

/// The gates that failed, in one line; empty if none did.
std::string failures(const std::vector<Gate>& gates);

/// gate, outcome ("failed" or "passed"), message.
ResultTable gates_table(const std::vector<Gate>& gates);

}  // namespace cacheledger
