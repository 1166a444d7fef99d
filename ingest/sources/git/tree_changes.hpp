#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "ingest/sources/git/git_repository.hpp"

namespace cacheledger {

/// The longest path in a repository, in bytes. It is the limit of Linux. Folders in a git tree can
/// be nested without limit.
inline constexpr std::size_t most_path_bytes = 4096;

/// How many files and folders may differ between two trees, and how long their paths may be
/// together. Each tree object counts as often as it occurs: a dozen that refer to each other can
/// stand for a billion files.
inline constexpr std::size_t most_tree_changes = 400'000;
inline constexpr std::size_t most_bytes_of_paths = std::size_t{64} << 20;

/// A file that differs between two trees, or that only one of them has.
struct GitChange {
    std::string path;             ///< in the repository
    std::optional<Digest> after;  ///< its blob id; nullopt if the file is removed
};

/// The files that differ between the trees, sorted by path. Equal subtrees are not walked.
/// `before`: nullopt for an empty tree. `path`: that of a file or a folder; empty for the whole
/// tree. Symbolic links and submodules are not files. Throws Problem if a limit is passed, and
/// InputError if the repository is damaged.
std::vector<GitChange> tree_changes(const GitRepository& repository,
                                    const std::optional<Digest>& before, const Digest& after,
                                    const std::string& path);

}  // namespace cacheledger
