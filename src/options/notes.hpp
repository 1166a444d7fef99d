#pragma once

#include <string>
#include <vector>

namespace cacheledger {

/// A line on standard error for each of these: what the answer leaves out, or may not mean. It
/// changes neither the answer nor the exit code.
void print_notes(const std::vector<std::string>& notes);

}  // namespace cacheledger
