#include "ingest/git/tree_walk.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "ingest/files/page_files.hpp"
#include "schema/basics/error.hpp"

namespace cacheledger {

TreeWalk::TreeWalk(const GitRepository& repository, std::string folder, PageLookup& ledger,
                   unsigned jobs)
    : repository_(repository),
      folder_(std::move(folder)),
      ledger_(ledger),
      stream_(
          [this]() -> PageStream::Read {
              return [this, own = std::make_shared<GitRepository>(repository_.path()),
                      reader = std::make_shared<PageReader>()](std::size_t index) {
                  return read_state(*own, batch_[index], *reader);
              };
          },
          jobs) {}

TreeWalk::Touched TreeWalk::go_to(const std::optional<Digest>& tree, const TakeState& take) {
    if (!tree) {
        pages_ = TreeIndex();
        tree_.reset();
        return {};
    }
    Touched touched;
    const auto wanted = requests(repository_.changes(tree_, *tree, folder_), *tree, touched);
    tree_ = tree;
    batch_.clear();
    for (const Request& request : wanted) {
        if (!request.known) {
            batch_.push_back(request.file);
        }
    }
    stream_.start(batch_.size());
    for (const Request& request : wanted) {
        const PageState state =
            request.known ? known_state(request.file, place_of(request.file.path), *request.known)
                          : next_read(request);
        if (std::holds_alternative<NoPage>(state.content)) {
            continue;
        }
        keep(request, state);
        take(state);
    }
    for (const Request& request : wanted) {
        note_touched(request.file.path, touched);
    }
    return touched;
}

void TreeWalk::note_touched(const std::string& path, Touched& touched) const {
    const auto* const entry = pages_.find(path);
    const auto tag = entry == nullptr ? std::nullopt : pages_.tag_of(*entry);
    if (!tag) {
        return;
    }
    touched.tags.insert(*tag);
    if (const auto* const page = std::get_if<PageHead>(&entry->page)) {
        touched.packages[*tag].insert(page->package);
    }
}

// The pages to read, sorted by path. Removes all that differs from pages_.
std::vector<TreeWalk::Request> TreeWalk::requests(const std::vector<GitChange>& changes,
                                                  const Digest& tree, Touched& touched) {
    std::map<std::string, Request> by_path;
    for (const GitChange& change : changes) {
        for (const std::string& path : pages_.dependent_on(change.path)) {
            by_path[path] = {{path, pages_.find(path)->blob, tree}, {}};
            note_touched(path, touched);
        }
    }
    for (const GitChange& change : changes) {
        note_touched(change.path, touched);
    }
    // Pages are removed only after all tags are noted: the tag of a bad page may follow from the
    // pages around it.
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

// Adds the page to pages_. Only what this tree says of a bad page is kept, so the result is the
// same if a walk begins here.
void TreeWalk::keep(const Request& request, const PageState& state) {
    TreeIndex::Entry entry{request.file.blob, state.place, {}};
    if (const PageHead* const page = head_of(state)) {
        entry.page = *page;
    } else {
        entry.page = std::get<BadPage>(state.content);
    }
    pages_.set(request.file.path, std::move(entry));
}

// The page that the stream read, or the ledger's page if it has it. The ledger may know a page with
// files beside it, whose digest is known only after reading.
PageState TreeWalk::next_read(const Request& request) {
    PageState state = *stream_.next();
    const auto* const page = std::get_if<Page>(&state.content);
    if (page == nullptr || page->digest == request.file.blob) {
        return state;
    }
    const auto known = ledger_.find(page->digest);
    return made_known(std::move(state.place), std::get<Page>(std::move(state.content)),
                      [&](const Digest&) { return known ? &*known : nullptr; });
}

PageState TreeWalk::known_state(const GitPage& file, const PagePlace& place,
                                const KnownPage& known) {
    return {place, known, [this, file](PageReader& reader) {
                PageState state = read_state(repository_, file, reader);
                if (auto* const page = std::get_if<Page>(&state.content)) {
                    return std::move(*page);
                }
                throw InputError(
                    fmt::format("{}: {} was read before and can't be read now; see "
                                "git fsck",
                                repository_.path(), file.path));
            }};
}

PageState TreeWalk::state_at(const std::string& path, PageReader& reader) {
    const TreeIndex::Entry& entry = *pages_.find(path);
    if (const auto* const bad = std::get_if<BadPage>(&entry.page)) {
        return {entry.place, *bad};
    }
    const GitPage file{path, entry.blob, *tree_};
    if (const auto known = ledger_.find(std::get<PageHead>(entry.page).digest)) {
        return known_state(file, entry.place, *known);
    }
    return read_state(repository_, file, reader);
}

}  // namespace cacheledger
