#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/document/asked_gate.hpp"
#include "reports/document/gate.hpp"
#include "reports/prune/prune.hpp"

namespace cacheledger {

/// The names of what a prune must not do.
std::vector<std::string> prune_gate_names();

/// Reads what a prune must not do. "specs-N%": how much of the specs may be lost. Throws UsageError
/// for an unknown gate.
std::vector<AskedGate> read_prune_gates(const std::vector<std::string>& lists);

/// `least`: the percentage of --fail-under, of what is needed to link and to run, for each row of
/// Prune::coverage.
std::vector<Gate> judge(const Prune& prune, const std::vector<AskedGate>& gates,
                        std::optional<double> least);

}  // namespace cacheledger
