#pragma once

#include <string>
#include <vector>

#include "reports/diff/diff.hpp"
#include "reports/document/asked_gate.hpp"
#include "reports/document/gate.hpp"

namespace cacheledger {

/// The names of what a diff must not show: kinds of change, `spec-added`, `spec-removed`, causes.
std::vector<std::string> diff_gate_names();

/// Reads what a diff must not show. "specs-N%": how much the number of specs may fall. Throws
/// UsageError for an unknown gate.
std::vector<AskedGate> read_diff_gates(const std::vector<std::string>& lists);

/// Judges the specs that the diff lists and counts. A kind or a cause fails if there is any such
/// change.
std::vector<Gate> judge(const Diff& diff, const std::vector<AskedGate>& gates);

}  // namespace cacheledger
