#pragma once

#include <string>
#include <vector>

#include "src/commands/list/command.hpp"
#include "src/options/command_line/options.hpp"

namespace cacheledger {

/// Whether the paths are files of build times. Throws UsageError if some of them are and others are
/// not.
bool are_files_of_times(const std::vector<std::string>& paths);

/// ingest of build times, from files and folders. Throws UsageError for options that are of
/// snapshots.
void run_ingest_times(const Invocation& invocation, const ParsedOptions& parsed);

}  // namespace cacheledger
