#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ingest/page/page.hpp"
#include "schema/names/moment.hpp"

namespace cacheledger {

/// A repository with a longer path is refused. It is what Linux has; in a tree of git folders can
/// be nested without end, and libgit2 recurses on some paths.
inline constexpr std::size_t most_path_bytes = 4096;

/// Whose time the moment of a commit is.
enum class TimeOf {
    committer,
    author,  ///< the committer's can't be read
    parent,  ///< nor can the author's: the moment of its first parent
    nobody,  ///< nor has it a parent: 1970
};

/// A commit, and what it is compared with.
struct GitCommit {
    Digest id{};
    Digest tree{};
    std::optional<Digest> parent_tree;  ///< of its first parent; nothing for the first commit
    Moment time = 0;
    TimeOf time_of = TimeOf::committer;
};

/// A file that two trees have with different content, or only one of them has.
struct GitChange {
    std::string path;             ///< in the repository
    std::optional<Digest> after;  ///< its blob id; nothing where the file is gone
};

/// A git repository, bare or not, that is only read: nothing of it is checked out, and nothing that
/// its configuration names is run. For one thread; several may each open the same.
class GitRepository {
  public:
    /// Throws InputError where `path` is no repository.
    explicit GitRepository(const std::string& path);
    ~GitRepository();
    GitRepository(const GitRepository&) = delete;
    GitRepository& operator=(const GitRepository&) = delete;

    /// As it was given.
    const std::string& path() const { return path_; }

    /// The commits from the first on, oldest first, along first parents. `revision`: of which
    /// commit this is the history (HEAD), or A..B, which leaves out those that A has. The parent of
    /// a shallow clone's last commit is not there: it counts as a first commit. Throws UsageError
    /// where there is no such revision, InputError where commits can't be read. Those whose author
    /// or committer can't be read are read all the same.
    std::vector<GitCommit> first_parent_history(const std::string& revision) const;

    /// Whether the one commit comes after the other in history. No, where the repository lacks one.
    bool is_later(const Digest& commit, const Digest& other) const;

    /// What is in the folder and differs between the trees, sorted by path; subtrees that are the
    /// same are not walked. `before`: nothing for an empty tree. `folder`: as it is called in the
    /// repository, empty for all of it. Symbolic links and submodules are no files. Throws
    /// InputError where the repository is damaged, or has a path that is too long.
    std::vector<GitChange> changes(const std::optional<Digest>& before, const Digest& after,
                                   const std::string& folder) const;

    /// The content of a blob. Throws Problem where it is too large for a
    /// page, InputError where the repository lacks it or is damaged.
    std::string read(const Digest& blob) const;

    /// The content of the file at `path` in a tree. Throws as read(), and Problem
    /// where there is none.
    std::string read(const Digest& tree, const std::string& path) const;

  private:
    struct Handles;
    std::unique_ptr<Handles> handles_;
    std::string path_;
};

}  // namespace cacheledger
