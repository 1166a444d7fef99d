#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ingest/git_pages.hpp"
#include "ingest/git_repository.hpp"
#include "ingest/known_pages.hpp"
#include "ingest/page_stream.hpp"
#include "ingest/tree_pages.hpp"

namespace cacheledger {

/// Goes from one tree of a repository to another, and knows the pages of the one where it is. Reads
/// only what differs between the two and is not in the ledger.
class TreeWalk {
  public:
    /// Begins at the empty tree. `folder`: below the top of the repository, empty for all of it.
    /// `repository` and `ledger` must outlive the walk. `jobs`: threads that read and parse.
    TreeWalk(const GitRepository& repository, std::string folder, PageLookup& ledger,
             unsigned jobs);

    /// Takes a page that the tree has and the one before had not, good or bad, in order of paths.
    using Take = std::function<void(const std::string& path, PageItem& item)>;

    /// Goes to another tree (nothing: the empty one). Gives the tags of which a page came, went or
    /// differs. Throws InputError where the repository is damaged.
    std::set<std::string> go_to(const std::optional<Digest>& tree, const Take& take);

    /// Where it is.
    const std::optional<Digest>& tree() const { return tree_; }
    const TreePages& pages() const { return pages_; }

    /// The page at a path of the tree. Where the ledger has its text, it is read only when its
    /// specs are asked for, by item.read_specs, which must be before the walk goes on.
    PageItem item_at(const std::string& path, PageReader& reader);

  private:
    struct Request {
        GitPage file;
        std::optional<KnownPages::Entry> known;  // what the ledger knows of it
    };

    std::vector<Request> requests(const std::vector<GitChange>& changes, const Digest& tree,
                                  std::set<std::string>& tags);
    void keep(const Request& request, PageItem& item);
    void note_tag(const std::string& path, std::set<std::string>& tags) const;
    PageItem known_item(const GitPage& file, const Digest& digest, const KnownPages::Entry& known);

    const GitRepository& repository_;
    std::string folder_;
    PageLookup& ledger_;
    std::optional<Digest> tree_;
    TreePages pages_;
    std::vector<GitPage> batch_;  // what the stream reads
    PageStream stream_;           // last: its threads use what is above
};

}  // namespace cacheledger
