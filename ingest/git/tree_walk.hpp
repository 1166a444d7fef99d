#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ingest/git/git_repository.hpp"
#include "ingest/git/tree_index.hpp"
#include "ingest/git/tree_page.hpp"
#include "ingest/sources/page_stream.hpp"
#include "ingest/stored/known_pages.hpp"

namespace cacheledger {

/// Walks from one tree of a repository to another, and knows the pages of the current one. Reads
/// only pages that differ between the two and are not in the ledger.
class TreeWalk {
  public:
    /// Begins at the empty tree. `folder`: below the top of the repository; empty for all of it.
    /// `jobs`: number of threads that read and parse. `repository` and `ledger` must outlive the
    /// walk.
    TreeWalk(const GitRepository& repository, std::string folder, PageLookup& ledger,
             unsigned jobs);

    /// What differs between two trees: the tags with an added, removed or changed page, and the
    /// packages of those pages that could be read, by tag.
    struct Touched {
        std::set<std::string> tags;
        std::map<std::string, std::set<std::string>> packages;
    };

    /// Moves to `tree` (nullopt: the empty tree). Calls `take` for each page, good or bad, that was
    /// added or changed, in order of paths. Returns what was touched; nothing for the empty tree.
    /// Throws InputError if the repository is damaged.
    Touched go_to(const std::optional<Digest>& tree, const TakeState& take);

    /// The current tree.
    const std::optional<Digest>& tree() const { return tree_; }
    const TreeIndex& pages() const { return pages_; }

    /// The page at a path of the current tree. A page whose text the ledger has is not read;
    /// state.read_again reads it with its specs, and must be called before the next go_to().
    PageState state_at(const std::string& path, PageReader& reader);

  private:
    struct Request {
        GitPage file;
        std::optional<KnownPage> known;  // the page, if the ledger has it
    };

    std::vector<Request> requests(const std::vector<GitChange>& changes, const Digest& tree,
                                  Touched& touched);
    void keep(const Request& request, const PageState& state);
    PageState next_read(const Request& request);
    void note_touched(const std::string& path, Touched& touched) const;
    PageState known_state(const GitPage& file, const PagePlace& place, const KnownPage& known);

    const GitRepository& repository_;
    std::string folder_;
    PageLookup& ledger_;
    std::optional<Digest> tree_;
    TreeIndex pages_;
    std::vector<GitPage> batch_;  // the pages that the stream reads
    PageStream stream_;           // last: its threads use the members above
};

}  // namespace cacheledger
