#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "reports/render/table/result_table.hpp"

namespace cacheledger {

/// The formats in which services for CI read the outcome of gates, for --format.
inline constexpr std::array<std::string_view, 2> gate_formats = {"junit", "github"};

/// The format that gives only hashes, for --format.
inline constexpr std::string_view hashes_format = "hashes";

/// The format that gives specs as `spack install` takes them, for --format.
inline constexpr std::string_view specs_format = "specs";

/// A condition that somebody set for a build of CI, and whether it holds.
struct Gate {
    std::string name;  ///< as it was typed: "package-removed", "specs-5%"
    bool has_failed = false;
    std::string message;  ///< by how much: "1 package-removed: hwloc (2 specs)"
};

bool has_failed(const std::vector<Gate>& gates);

/// No gate passes on what was not read, which a sentence says. Empty: all was read.
void fail_on_unread(std::vector<Gate>& gates, const std::string& sentence);

/// The gates that failed, in one line; empty if none did.
std::string failures(const std::vector<Gate>& gates);

/// gate, outcome ("failed" or "passed"), message.
ResultTable gates_table(const std::vector<Gate>& gates);

}  // namespace cacheledger
