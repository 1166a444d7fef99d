#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/diff/diff.hpp"
#include "reports/gates/gate.hpp"

namespace cacheledger {

/// What a diff must not show.
struct DiffGate {
    std::string name;  ///< a kind of change, `spec-added`, `spec-removed`, a cause, or "specs-5%"
    std::optional<double> percent{};  ///< of "specs-N%": how much the number of specs may fall
};

/// The names that a gate can have, beside "specs-N%".
std::vector<std::string> diff_gate_names();

/// Reads lists such as "package-removed,specs-5%". Throws UsageError, with the nearest names, for
/// an unknown gate.
std::vector<DiffGate> read_diff_gates(const std::vector<std::string>& lists);

/// Judges the specs that the diff lists and counts. A kind or a cause fails if there is any such
/// change.
std::vector<Gate> judge(const Diff& diff, const std::vector<DiffGate>& gates);

}  // namespace cacheledger
