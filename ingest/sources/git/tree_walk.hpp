#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "ingest/pages/reader/page_reader.hpp"
#include "ingest/sources/files/threads.hpp"
#include "ingest/sources/git/git_repository.hpp"
#include "ingest/sources/pages/source.hpp"

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

/// The pages of one git tree, good and bad, without their specs. It tells which tags the next
/// commit touches, and which other pages these tags have. Its size follows that of one tree.
class TreeIndex {
  public:
    struct Entry {
        Digest blob{};
        PagePlace place;
        std::variant<PageHead, BadPage> page;
    };

    /// The page at `path`, or nullptr.
    const Entry* find(const std::string& path) const;

    /// Sets the page at `path`, and replaces an older one.
    void set(const std::string& path, Entry entry);
    void remove(const std::string& path);

    /// The paths of the pages of a tag, sorted. `tag` is nullopt for bad pages whose tag is
    /// unknown.
    const std::set<std::string>& paths(const std::optional<std::string>& tag) const;

    /// The first path with a page of the package in the tag; empty if there is none.
    std::string first_path(const std::string& tag, const std::string& package) const;

    /// The number of good pages of the package in the tag. More than one is a finding.
    std::size_t num_paths(const std::string& tag, const std::string& package) const;

    /// The number of specs that the good pages of the tag list.
    std::size_t num_specs(const std::string& tag) const;

    /// The paths of the pages that were read together with `file`, which lies beside them.
    const std::set<std::string>& dependent_on(const std::string& file) const;

    /// The number of files that pages were read with, each counted for each page.
    std::size_t num_beside() const { return num_beside_; }

    /// The tag of an entry; nullopt if it is unknown. The possible tag of a bad page is its tag if
    /// the tree has other pages of it, or if it is one of `more_tags`.
    std::optional<std::string> tag_of(const Entry& entry,
                                      const std::set<std::string>& more_tags = {}) const;

  private:
    using TagAndPackage = std::pair<std::string, std::string>;

    std::map<std::string, Entry> entries_;  // by path
    std::map<std::optional<std::string>, std::set<std::string>> by_tag_;
    std::map<TagAndPackage, std::set<std::string>> by_package_;  // good pages only
    std::map<std::string, std::set<std::string>> by_file_;       // by a file beside them
    std::map<std::string, std::size_t> specs_;                   // of good pages, by tag
    std::size_t num_beside_ = 0;
};

/// A file of a git tree that may hold a page.
struct TreePage {
    std::string path;  ///< in the repository
    Digest blob{};
    Digest tree{};  ///< the whole tree; it has the files beside the page
};

/// Walks from one tree of a repository to another, and knows the pages of the current one. Reads
/// only pages that differ between the two and are not in the ledger. Yields page states like a
/// Source. It is not one, because a tree has 15,000 pages of which a load needs a few;
/// ingest/runs/commits/commit_contents.cpp decides which.
class TreeWalk {
  public:
    /// Begins at the empty tree. `folder`: below the top of the repository; empty for all of it.
    /// `known`: called in the caller's thread only. `jobs`: number of threads that read and parse.
    /// `repository` must outlive the walk. Throws UsageError if the threads can't be started.
    TreeWalk(const GitRepository& repository, std::string folder, FindKnown known, unsigned jobs);

    /// What differs between two trees: the tags with an added, removed or changed page, and the
    /// packages of those pages that could be read, by tag.
    struct Touched {
        std::set<std::string> tags;
        std::map<std::string, std::set<std::string>> packages;
    };

    /// Moves to `tree` (nullopt: the empty tree). Calls `take` for each page, good or bad, that was
    /// added or changed, in order of paths. Returns what was touched; nothing for the empty tree.
    /// Throws Problem if there is more than a limit of tree_changes() allows, and InputError if
    /// the repository is damaged.
    Touched go_to(const std::optional<Digest>& tree, const TakeState& take);

    /// The current tree.
    const std::optional<Digest>& tree() const { return tree_; }
    const TreeIndex& pages() const { return pages_; }

    /// The page at a path of the current tree. A page that the ledger has is not read.
    PageState state_at(const std::string& path);

    /// The same state of the current tree, whose page was not read, with its specs. Throws
    /// InputError if it can't be read any more.
    PageState read(PageState known);

  private:
    struct Request {
        TreePage page;
        std::optional<Page> known;  // the page, if the ledger has it
    };

    std::vector<Request> requests(const std::vector<GitChange>& changes, const Digest& tree,
                                  Touched& touched);
    void keep(const Request& request, const PageState& state);
    PageState next_read(const Request& request);
    void note_touched(const std::string& path, Touched& touched) const;

    const GitRepository& repository_;
    std::string folder_;
    FindKnown known_;
    std::optional<Digest> tree_;
    TreeIndex pages_;
    PageReader reader_;                // for the caller's thread
    std::vector<TreePage> batch_;      // the pages that the stream reads
    OrderedStream<PageState> stream_;  // last: its threads use the members above
};

}  // namespace cacheledger
