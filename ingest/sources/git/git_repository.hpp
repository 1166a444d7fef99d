#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/ledger/names/moment.hpp"
#include "schema/text/digest.hpp"

namespace cacheledger {

/// The version of libgit2: "1.5.1". Throws UsageError if it is not installed.
std::string git_library_version();

/// So many bytes of a subject are read.
inline constexpr std::size_t most_subject_bytes = 4096;

/// The fields of a git commit that the loader needs. libgit2 also reads commits, but returns 1970
/// for a missing time, and nothing at all if it can't read the author.
struct CommitText {
    Digest tree{};
    std::vector<Digest> parents;
    std::optional<Moment> committer_time;  ///< nullopt if it can't be read
    std::optional<Moment> author_time;
    std::string subject;  ///< the first line of its message, as it is, cut to most_subject_bytes
};

/// Throws Problem if the tree or a parent can't be read.
CommitText parse_commit(std::string_view text);

/// The origin of a commit's moment.
enum class TimeOf {
    committer,
    author,  ///< the committer's time can't be read
    parent,  ///< neither time can be read, or the committer's is far: that of the first parent
    nobody,  ///< the same, and there is no parent: 1970
};

/// A commit, and the tree that it is compared with.
struct GitCommit {
    Digest id{};
    Digest tree{};
    std::optional<Digest> parent_tree;  ///< of its first parent; nullopt for the first commit
    Moment time = 0;
    TimeOf time_of = TimeOf::committer;
    bool is_far = false;  ///< the committer's time is not in the years 0 to 9999
};

/// A file, a folder, a symbolic link or a submodule in a tree.
struct GitEntry {
    std::string name;
    Digest id{};
    int mode = 0;  ///< as git has it

    bool is_file() const;
    bool is_folder() const;
};

/// The largest tree object, without those of its folders: some 400,000 names.
inline constexpr std::size_t most_tree_bytes = std::size_t{16} << 20;

/// The content of a file, or the bytes of a tree, in memory as long as this lives.
struct GitBlob {
    std::shared_ptr<const void> owner = nullptr;
    std::string_view text = {};
};

/// A git repository, bare or not. It is only read: nothing is checked out, and no program that its
/// configuration names is run. For one thread; several threads may each open the same repository.
class GitRepository {
  public:
    /// Throws InputError if `path` is not a repository, UsageError if libgit2 is not installed.
    explicit GitRepository(const std::string& path);
    ~GitRepository();
    GitRepository(const GitRepository&) = delete;
    GitRepository& operator=(const GitRepository&) = delete;

    /// The path that was given to the constructor.
    const std::string& path() const { return path_; }

    /// The history of a revision along first parents, oldest commit first. `revision`: a commit
    /// (HEAD), or A..B, which leaves out the commits that A has. The oldest commit of a shallow
    /// clone, whose parent is missing, counts as a first commit. A commit whose author or committer
    /// can't be read is included. Throws UsageError if there is no such revision, InputError if a
    /// commit can't be read.
    std::vector<GitCommit> first_parent_history(const std::string& revision) const;

    /// The commit that HEAD names; where its branch does not exist, that of the one branch there
    /// is, as in a clone of a bundle. nullopt if there is none, or several.
    std::optional<Digest> head() const;

    /// A commit; nullopt if the repository lacks it, as a shallow clone may. Throws InputError if
    /// it can't be read.
    std::optional<CommitText> commit(const Digest& id) const;

    /// Whether `commit` is a descendant of `other`. False if the repository lacks one of them.
    bool is_later(const Digest& commit, const Digest& other) const;

    /// What a tree has, in any order, without what its folders have. Throws InputError if the
    /// repository is damaged or the tree takes more than most_tree_bytes.
    std::vector<GitEntry> entries(const Digest& tree) const;

    /// The bytes of a tree, as git stores it. Throws like entries().
    GitBlob tree_bytes(const Digest& tree) const;

    /// What is at `path` in a tree, the tree itself if that is empty; nullopt if nothing is. Throws
    /// InputError if the repository is damaged.
    std::optional<GitEntry> find(const Digest& tree, const std::string& path) const;

    /// The blob of the file at `path` in a tree; nullopt if there is no such file. Throws
    /// InputError if the repository is damaged.
    std::optional<Digest> find_file(const Digest& tree, const std::string& path) const;

    /// The content of a blob. `refuse_size` throws Problem if it has too many bytes. Throws
    /// InputError if the repository lacks it or is damaged.
    using RefuseSize = void (*)(std::uintmax_t bytes);
    GitBlob blob(const Digest& blob, RefuseSize refuse_size) const;

    /// The same of a blob that may be a page. Throws Problem if it is too large for one.
    std::string read(const Digest& blob) const;

    /// The content of the file at `path` in a tree; nullopt if there is no such file. Throws like
    /// read(blob).
    std::optional<std::string> read(const Digest& tree, const std::string& path) const;

  private:
    struct Handles;
    std::unique_ptr<Handles> handles_;
    std::string path_;
};

/// Whether the folder looks like a git repository, bare or not.
bool is_git_repository(const std::filesystem::path& folder);

/// Whether a file that begins like this is a git bundle: the objects of a repository in one file.
bool is_git_bundle(std::string_view head);

/// "FILE: a git bundle; to make a repository of it: git clone --bare FILE"
std::string hint_at_bundle(const std::string& file);

/// "DIR: a git repository; to load its commits: cacheledger ingest --history DIR"
std::string hint_at_history(const std::string& folder);

}  // namespace cacheledger
