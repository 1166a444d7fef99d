#pragma once

#include <optional>
#include <string>
#include <vector>

namespace cacheledger {

/// A gate as --fail-on names it.
struct AskedGate {
    std::string name;                 ///< as it was typed: "package-removed", "specs-5%"
    std::optional<double> percent{};  ///< of "specs-N%"
};

/// Reads lists such as "package-removed,specs-5%". `names`: those that a gate can have, beside
/// "specs-N%". Throws UsageError, with the nearest names, for an unknown gate.
std::vector<AskedGate> read_gates(const std::vector<std::string>& lists,
                                  const std::vector<std::string>& names);

/// Reads the percentage of --fail-under. Throws UsageError unless it is a number from 0 to 100.
double read_fail_under(const std::string& text);

}  // namespace cacheledger
