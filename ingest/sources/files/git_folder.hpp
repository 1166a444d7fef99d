#pragma once

#include <filesystem>
#include <string>

namespace cacheledger {

/// Whether the folder looks like a git repository, bare or not.
bool is_git_repository(const std::filesystem::path& folder);

/// "DIR: a git repository; to load its commits: cacheledger ingest --history DIR"
std::string hint_at_history(const std::string& folder);

}  // namespace cacheledger
