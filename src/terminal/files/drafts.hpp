#pragma once

#include <filesystem>
#include <vector>

namespace cacheledger {

// A draft is a file or folder beside its target, whose place it takes when it is filled. The name
// tells whose draft it is. A lock tells that a run is at work on it: what a killed run left has
// none, and the next run removes it.

/// The draft with this number of this process.
std::filesystem::path draft_name(const std::filesystem::path& target, int number);

/// All drafts of all processes, without SQLite's files beside them.
std::vector<std::filesystem::path> find_drafts(const std::filesystem::path& target);

/// Locks a draft that this run made. Returns false if it is gone: another run took it for a
/// leftover in the moment before. A file system without locks is no reason to stop.
bool lock_new_draft(int descriptor, const std::filesystem::path& draft);

/// Locks a draft if no run is at work on it, and returns whether it is so. Without locks nothing is
/// a leftover.
bool lock_leftover(int descriptor, const std::filesystem::path& draft);

/// Gives an open draft the permissions of its target, and its owner and group as far as this
/// process may; to no other group more than all may do. Returns false, with errno, if the
/// permissions can't be given.
bool take_permissions(int descriptor, const std::filesystem::path& target);

}  // namespace cacheledger
