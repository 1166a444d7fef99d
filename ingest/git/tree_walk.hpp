#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ingest/git/commit_pages.hpp"
#include "ingest/git/git_repository.hpp"
#include "ingest/git/tree_index.hpp"
#include "ingest/ids/page_ids.hpp"
#include "ingest/sources/page_stream.hpp"

namespace cacheledger {

/// Goes from one tree of a repository to another, and knows the pages of the one where it is. Reads
/// only what differs between the two and is not in the ledger.
class TreeWalk {
  public:
    /// Begins at the empty tree. `folder`: below the top of the repository, empty for all of it.
    /// `repository` and `ledger` must outlive the walk. `jobs`: threads that read and parse.
    TreeWalk(const GitRepository& repository, std::string folder, PageLookup& ledger,
             unsigned jobs);

    /// Goes to another tree (nothing: the empty one). `take` is given each page that it has and the
    /// one before had not, good or bad, in order of paths. Gives the tags of which a page came,
    /// went or differs. Throws InputError where the repository is damaged.
    std::set<std::string> go_to(const std::optional<Digest>& tree, const TakeState& take);

    /// Where it is.
    const std::optional<Digest>& tree() const { return tree_; }
    const TreeIndex& pages() const { return pages_; }

    /// The page at a path of the tree. Where the ledger has its text, it is read only when its
    /// specs are asked for, by state.read_again, which must be before the walk goes on.
    PageState state_at(const std::string& path, PageReader& reader);

  private:
    struct Request {
        GitPage file;
        std::optional<KnownPage> known;  // what the ledger knows of it
    };

    std::vector<Request> requests(const std::vector<GitChange>& changes, const Digest& tree,
                                  std::set<std::string>& tags);
    void keep(const Request& request, const PageState& state);
    PageState next_read(const Request& request);
    void note_tag(const std::string& path, std::set<std::string>& tags) const;
    PageState known_state(const GitPage& file, const PagePlace& place, const KnownPage& known);

    const GitRepository& repository_;
    std::string folder_;
    PageLookup& ledger_;
    std::optional<Digest> tree_;
    TreeIndex pages_;
    std::vector<GitPage> batch_;  // what the stream reads
    PageStream stream_;           // last: its threads use what is above
};

}  // namespace cacheledger
