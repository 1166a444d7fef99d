#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/gates/gate.hpp"
#include "reports/prune/prune.hpp"

namespace cacheledger {

/// What a prune must not do.
struct PruneGate {
    std::string name;                 ///< "broken", "listed", "package", "specs-5%"
    std::optional<double> percent{};  ///< of "specs-N%": how much of the specs may be lost
};

/// The names that a gate can have, beside "specs-N%".
std::vector<std::string> prune_gate_names();

/// Reads lists such as "broken,specs-5%". Throws UsageError, with the nearest names, for an unknown
/// gate.
std::vector<PruneGate> read_prune_gates(const std::vector<std::string>& lists);

/// `least`: the percentage of --fail-under, of what is needed to link and to run, for each row of
/// Prune::coverage.
std::vector<Gate> judge(const Prune& prune, const std::vector<PruneGate>& gates,
                        std::optional<double> least);

}  // namespace cacheledger
