#include "ingest/tree_walk.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "ingest/page_files.hpp"
#include "ingest/page_place.hpp"
#include "schema/error.hpp"

namespace cacheledger {

namespace {

// All of a page but its specs and findings.
Page without_specs(const Page& page) {
    return {page.path,    page.digest, page.package, page.tag, page.num_specs,
            page.page_id, {},          {},           {}};
}

}  // namespace

TreeWalk::TreeWalk(const GitRepository& repository, std::string folder, PageLookup& ledger,
                   unsigned jobs)
    : repository_(repository),
      folder_(std::move(folder)),
      ledger_(ledger),
      stream_(
          [this]() -> PageStream::Read {
              return [this, own = std::make_shared<GitRepository>(repository_.path()),
                      reader = std::make_shared<PageReader>()](std::size_t index) {
                  return read_page(*own, batch_[index], *reader);
              };
          },
          jobs) {}

std::set<std::string> TreeWalk::go_to(const std::optional<Digest>& tree, const Take& take) {
    if (!tree) {
        pages_ = TreePages();
        tree_.reset();
        return {};
    }
    std::set<std::string> tags;
    const auto wanted = requests(repository_.changes(tree_, *tree, folder_), *tree, tags);
    tree_ = tree;
    batch_.clear();
    for (const Request& request : wanted) {
        if (!request.known) {
            batch_.push_back(request.file);
        }
    }
    stream_.start(batch_.size());
    for (const Request& request : wanted) {
        PageItem item = request.known ? known_item(request.file, request.file.blob, *request.known)
                                      : std::move(*stream_.next());
        if (std::holds_alternative<NoPage>(item.result)) {
            continue;
        }
        keep(request, item);
        take(request.file.path, item);
    }
    for (const Request& request : wanted) {
        note_tag(request.file.path, tags);
    }
    return tags;
}

void TreeWalk::note_tag(const std::string& path, std::set<std::string>& tags) const {
    if (const auto* const entry = pages_.find(path)) {
        if (const auto tag = pages_.tag_of(*entry)) {
            tags.insert(*tag);
        }
    }
}

// What is to be read, sorted by path. Takes what differs out of pages_.
std::vector<TreeWalk::Request> TreeWalk::requests(const std::vector<GitChange>& changes,
                                                  const Digest& tree, std::set<std::string>& tags) {
    std::map<std::string, Request> by_path;
    for (const GitChange& change : changes) {
        for (const std::string& path : pages_.dependent_on(change.path)) {
            by_path[path] = {{path, pages_.find(path)->blob, tree}, {}};
            note_tag(path, tags);
        }
    }
    for (const GitChange& change : changes) {
        note_tag(change.path, tags);
    }
    // Not before all tags are noted: that of a bad page may follow from the pages around it.
    for (const auto& [path, request] : by_path) {
        pages_.remove(path);
    }
    for (const GitChange& change : changes) {
        pages_.remove(change.path);
        by_path.erase(change.path);
        if (change.after && may_hold_page(change.path)) {
            by_path[change.path] = {{change.path, *change.after, tree}, {}};
        }
    }
    std::vector<Request> sorted;
    for (auto& [path, request] : by_path) {
        request.known = ledger_.find(request.file.blob);
        sorted.push_back(std::move(request));
    }
    return sorted;
}

// Puts it into pages_. Of a bad page no more is known than this tree says: the walk may as well
// have begun here.
void TreeWalk::keep(const Request& request, PageItem& item) {
    TreePages::Entry entry;
    entry.blob = request.file.blob;
    entry.beside = item.beside;
    if (auto* const page = std::get_if<Page>(&item.result)) {
        if (page->digest != request.file.blob) {  // it has files beside it
            if (const auto known = ledger_.find(page->digest)) {
                page->page_id = known->page_id;
            }
        }
        entry.page = without_specs(*page);
    } else {
        auto& bad = std::get<BadPage>(item.result);
        bad.tag = bad.tag ? bad.tag : tag_of_place(bad.path);
        entry.bad = bad;
    }
    pages_.set(request.file.path, std::move(entry));
}

PageItem TreeWalk::known_item(const GitPage& file, const Digest& digest,
                              const KnownPages::Entry& known) {
    return {file.path, known.page_at(file.path, digest), [this, file](PageReader& reader) {
                PageItem item = read_page(repository_, file, reader);
                if (auto* const page = std::get_if<Page>(&item.result)) {
                    return std::move(*page);
                }
                throw InputError(
                    fmt::format("{}: {} was read before and can't be read now; see "
                                "git fsck",
                                repository_.path(), file.path));
            }};
}

PageItem TreeWalk::item_at(const std::string& path, PageReader& reader) {
    const TreePages::Entry& entry = *pages_.find(path);
    if (entry.bad) {
        return {path, *entry.bad, {}};
    }
    const GitPage file{path, entry.blob, *tree_};
    if (const auto known = ledger_.find(entry.page.digest)) {
        return known_item(file, entry.page.digest, *known);
    }
    return read_page(repository_, file, reader);
}

}  // namespace cacheledger
