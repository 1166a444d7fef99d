#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ingest/pages/reader/page_reader.hpp"
#include "ingest/sources/git/git_repository.hpp"
#include "ingest/sources/git/tree_changes.hpp"
#include "ingest/sources/git/tree_index.hpp"
#include "ingest/sources/pages/page_stream.hpp"

namespace cacheledger {

/// A file of a git tree that may hold a page.
struct TreePage {
    std::string path;  ///< in the repository
    Digest blob{};
    Digest tree{};  ///< the whole tree; it has the files beside the page
};

/// Walks from one tree of a repository to another, and knows the pages of the current one. Reads
/// only pages that differ between the two and are not in the ledger. Yields page states like a
/// Source. It is not one, because a tree has 15,000 pages of which a load needs a few;
/// ingest/runs/commits/page_commits.cpp decides which.
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
    /// Throws Problem if there is more than a limit of tree_changes.hpp allows, and InputError if
    /// the repository is damaged.
    Touched go_to(const std::optional<Digest>& tree, const TakeState& take);

    /// The current tree.
    const std::optional<Digest>& tree() const { return tree_; }
    const TreeIndex& pages() const { return pages_; }

    /// The page at a path of the current tree. A page that the ledger has is not read.
    PageState state_at(const std::string& path);

  private:
    struct Request {
        TreePage page;
        std::optional<KnownPage> known;  // the page, if the ledger has it
    };

    std::vector<Request> requests(const std::vector<GitChange>& changes, const Digest& tree,
                                  Touched& touched);
    void keep(const Request& request, const PageState& state);
    PageState next_read(const Request& request);
    void note_touched(const std::string& path, Touched& touched) const;
    PageState known_state(const TreePage& page, const PagePlace& place, const KnownPage& known);

    const GitRepository& repository_;
    std::string folder_;
    FindKnown known_;
    std::optional<Digest> tree_;
    TreeIndex pages_;
    PageReader reader_;            // for the caller's thread
    std::vector<TreePage> batch_;  // the pages that the stream reads
    PageStream stream_;            // last: its threads use the members above
};

}  // namespace cacheledger
