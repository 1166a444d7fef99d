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

/// Whether the paths are package repositories. Throws UsageError if some of them are and others are
/// not.
bool are_package_repositories(const std::vector<std::string>& paths);

/// ingest of package repositories. `jobs`: number of threads. Throws UsageError for options that
/// are of snapshots.
void run_package_repositories(const Invocation& invocation, const ParsedOptions& parsed,
                              unsigned jobs);

}  // namespace cacheledger
