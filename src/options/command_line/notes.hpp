#pragma once

#include <string>
#include <vector>

namespace cacheledger {

/// Prints each note as a line on standard error: what the answer leaves out, or where it may be
/// misunderstood. Notes change neither the answer nor the exit code.
void print_notes(const std::vector<std::string>& notes);

}  // namespace cacheledger
