#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace cacheledger {

/// Whether the folder looks like a git repository, bare or not.
bool is_git_repository(const std::filesystem::path& folder);

/// Whether a file that begins like this is a git bundle: the objects of a repository in one file.
bool is_git_bundle(std::string_view head);

/// "FILE: a git bundle; to make a repository of it: git clone --bare FILE"
std::string hint_at_bundle(const std::string& file);

/// "DIR: a git repository; to load its commits: cacheledger ingest --history DIR"
std::string hint_at_history(const std::string& folder);

}  // namespace cacheledger
