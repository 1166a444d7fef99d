#include "ingest/sources/git/tree_walk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/sources/files/page_files.hpp"
#include "schema/errors/error.hpp"

namespace cacheledger {

namespace {

using Entry = std::optional<GitEntry>;

class Comparison {
  public:
    explicit Comparison(const GitRepository& repository) : repository_(repository) {}

    std::vector<GitChange> run(const Entry& before, const Entry& after, const std::string& path) {
        compare(before, after, path);
        while (!folders_.empty()) {
            const Folder folder = std::move(folders_.back());
            folders_.pop_back();
            compare_folder(folder);
        }
        std::ranges::stable_sort(
            changes_, [](const GitChange& a, const GitChange& b) { return a.path < b.path; });
        return std::move(changes_);
    }

  private:
    // A folder that differs, and waits: nothing of those around it has to be kept meanwhile.
    struct Folder {
        std::string path;
        std::optional<Digest> before, after;
    };

    void compare_folder(const Folder& folder) {
        const auto before = entries_of(folder.before);
        const auto after = entries_of(folder.after);
        auto old = before.begin();
        auto now = after.begin();
        const std::string start = folder.path.empty() ? "" : folder.path + '/';
        while (old != before.end() || now != after.end()) {
            const bool has_old =
                old != before.end() && (now == after.end() || old->name <= now->name);
            const bool has_now =
                now != after.end() && (old == before.end() || now->name <= old->name);
            const std::string& name = has_old ? old->name : now->name;
            compare(has_old ? Entry(*old) : std::nullopt, has_now ? Entry(*now) : std::nullopt,
                    start + name);
            old += has_old ? 1 : 0;
            now += has_now ? 1 : 0;
        }
    }

    // Sorted by name; git sorts folders as if their names ended in a slash.
    std::vector<GitEntry> entries_of(const std::optional<Digest>& tree) const {
        std::vector<GitEntry> entries = tree ? repository_.entries(*tree) : std::vector<GitEntry>();
        std::ranges::stable_sort(
            entries, [](const GitEntry& a, const GitEntry& b) { return a.name < b.name; });
        return entries;
    }

    void compare(const Entry& before, const Entry& after, std::string path) {
        if (before && after && before->mode == after->mode && before->id == after->id) {
            return;
        }
        count(path);
        const auto tree_of = [](const Entry& entry) {
            return entry && entry->is_folder() ? std::optional(entry->id) : std::nullopt;
        };
        const bool had_folder = tree_of(before).has_value();
        if (had_folder || tree_of(after)) {
            folders_.push_back({path, tree_of(before), tree_of(after)});
        }
        if (after && after->is_file()) {
            changes_.push_back({std::move(path), after->id});
        } else if (before && before->is_file()) {
            changes_.push_back({std::move(path), std::nullopt});
        }
    }

    void count(const std::string& path) {
        if (path.size() > most_path_bytes) {
            throw Problem(fmt::format("expected paths of at most {} bytes, found a longer one",
                                      most_path_bytes));
        }
        bytes_ += path.size();
        if (++number_ > most_tree_changes || bytes_ > most_bytes_of_paths) {
            throw Problem(fmt::format(
                "expected at most {} files and folders that differ from the commit before, with "
                "paths of {} MiB together, found more; --path limits them to a folder",
                most_tree_changes, most_bytes_of_paths >> 20U));
        }
    }

    const GitRepository& repository_;
    std::vector<Folder> folders_;
    std::vector<GitChange> changes_;
    std::size_t number_ = 0;
    std::size_t bytes_ = 0;
};

// The tag under which the index keeps an entry.
std::optional<std::string> filed_under(const TreeIndex::Entry& entry) {
    if (const auto* const bad = std::get_if<BadPage>(&entry.page)) {
        return bad->tag;
    }
    return std::get<PageHead>(entry.page).tag_to_load();
}

template <typename Map>
void erase_from(Map& sets, const typename Map::key_type& key, const std::string& path) {
    const auto found = sets.find(key);
    if (found != sets.end()) {
        found->second.erase(path);
        if (found->second.empty()) {
            sets.erase(found);
        }
    }
}

template <typename Map>
const std::set<std::string>& find_in(const Map& sets, const typename Map::key_type& key) {
    static const std::set<std::string> none;
    const auto found = sets.find(key);
    return found == sets.end() ? none : found->second;
}

// Messages name the path of the page.
PageState read_state(const GitRepository& repository, const TreePage& page, PageReader& reader) {
    std::string text;
    try {
        text = repository.read(page.blob);
    } catch (Problem& problem) {
        problem.file = page.path;
        return state_in_layout({page.path, page.path}, BadPage{problem});
    }
    std::vector<std::string> beside;
    const auto read_beside = [&](const std::string& name) {
        beside.push_back((std::filesystem::path(page.path).parent_path() / name).string());
        return repository.read(page.tree, beside.back());
    };
    Content content =
        reader.read({page.path, text, page.blob, has_page_name(page.path), read_beside});
    return state_in_layout({page.path, page.path, std::move(beside)}, std::move(content));
}

}  // namespace

std::vector<GitChange> tree_changes(const GitRepository& repository,
                                    const std::optional<Digest>& before, const Digest& after,
                                    const std::string& path) {
    const auto entry_in = [&](const std::optional<Digest>& tree) {
        return tree ? repository.find(*tree, path) : std::nullopt;
    };
    return Comparison(repository).run(entry_in(before), entry_in(after), path);
}

const TreeIndex::Entry* TreeIndex::find(const std::string& path) const {
    const auto found = entries_.find(path);
    return found == entries_.end() ? nullptr : &found->second;
}

void TreeIndex::set(const std::string& path, Entry entry) {
    remove(path);
    by_tag_[filed_under(entry)].insert(path);
    if (const auto* const page = std::get_if<PageHead>(&entry.page)) {
        by_package_[{page->tag_to_load(), page->package}].insert(path);
        specs_[page->tag_to_load()] += page->num_specs;
    }
    for (const std::string& file : entry.place.beside) {
        by_file_[file].insert(path);
    }
    num_beside_ += entry.place.beside.size();
    entries_.emplace(path, std::move(entry));
}

void TreeIndex::remove(const std::string& path) {
    const auto found = entries_.find(path);
    if (found == entries_.end()) {
        return;
    }
    const Entry& entry = found->second;
    erase_from(by_tag_, filed_under(entry), path);
    if (const auto* const page = std::get_if<PageHead>(&entry.page)) {
        erase_from(by_package_, {page->tag_to_load(), page->package}, path);
        specs_[page->tag_to_load()] -= page->num_specs;
    }
    for (const std::string& file : entry.place.beside) {
        erase_from(by_file_, file, path);
    }
    num_beside_ -= entry.place.beside.size();
    entries_.erase(found);
}

const std::set<std::string>& TreeIndex::paths(const std::optional<std::string>& tag) const {
    return find_in(by_tag_, tag);
}

std::string TreeIndex::first_path(const std::string& tag, const std::string& package) const {
    const auto found = by_package_.find({tag, package});
    return found == by_package_.end() ? std::string() : *found->second.begin();
}

std::size_t TreeIndex::num_paths(const std::string& tag, const std::string& package) const {
    return find_in(by_package_, {tag, package}).size();
}

std::size_t TreeIndex::num_specs(const std::string& tag) const {
    const auto found = specs_.find(tag);
    return found == specs_.end() ? 0 : found->second;
}

std::optional<std::string> TreeIndex::tag_of(const Entry& entry,
                                             const std::set<std::string>& more_tags) const {
    if (auto tag = filed_under(entry)) {
        return tag;
    }
    const auto& possible = std::get<BadPage>(entry.page).possible_tag;
    return possible && (by_tag_.contains(possible) || more_tags.contains(*possible)) ? possible
                                                                                     : std::nullopt;
}

const std::set<std::string>& TreeIndex::dependent_on(const std::string& file) const {
    return find_in(by_file_, file);
}

TreeWalk::TreeWalk(const GitRepository& repository, std::string folder, FindKnown known,
                   unsigned jobs)
    : repository_(repository),
      folder_(std::move(folder)),
      known_(std::move(known)),
      stream_(
          [this]() -> OrderedStream<PageState>::Make {
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
    const auto wanted = requests(tree_changes(repository_, tree_, *tree, folder_), *tree, touched);
    tree_ = tree;
    batch_.clear();
    for (const Request& request : wanted) {
        if (!request.known) {
            batch_.push_back(request.page);
        }
    }
    stream_.start(batch_.size());
    for (const Request& request : wanted) {
        const PageState state =
            request.known ? state_in_layout({request.page.path, request.page.path}, *request.known)
                          : next_read(request);
        if (std::holds_alternative<NoPage>(state.content)) {
            continue;
        }
        keep(request, state);
        take(state);
    }
    for (const Request& request : wanted) {
        note_touched(request.page.path, touched);
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
        request.known = known_(request.page.blob);
        sorted.push_back(std::move(request));
    }
    return sorted;
}

// Adds the page to pages_. Only what this tree says of a bad page is kept, so the result is the
// same if a walk begins here.
void TreeWalk::keep(const Request& request, const PageState& state) {
    TreeIndex::Entry entry{request.page.blob, state.place, {}};
    if (const auto* const page = std::get_if<Page>(&state.content)) {
        entry.page = static_cast<const PageHead&>(*page);
    } else {
        entry.page = std::get<BadPage>(state.content);
    }
    pages_.set(request.page.path, std::move(entry));
    if (pages_.num_beside() > most_tree_changes) {
        throw Problem(fmt::format("expected at most {} files that pages list, found more",
                                  most_tree_changes));
    }
}

// The page that the stream read. The ledger may have it although its blob is new: the digest of a
// page with files beside it is known only after reading.
PageState TreeWalk::next_read(const Request& request) {
    PageState state = *stream_.next();
    const auto* const page = std::get_if<Page>(&state.content);
    if (page == nullptr || page->digest == request.page.blob) {
        return state;
    }
    return made_known(std::move(state), known_);
}

PageState TreeWalk::state_at(const std::string& path) {
    const TreeIndex::Entry& entry = *pages_.find(path);
    if (const auto* const bad = std::get_if<BadPage>(&entry.page)) {
        return {entry.place, *bad};
    }
    if (auto known = known_(std::get<PageHead>(entry.page).digest)) {
        return state_in_layout(entry.place, *std::move(known));
    }
    return read_state(repository_, {path, entry.blob, *tree_}, reader_);
}

PageState TreeWalk::read(PageState known) {
    const std::string& path = known.place.path;
    PageState state = read_state(repository_, {path, pages_.find(path)->blob, *tree_}, reader_);
    auto* const page = std::get_if<Page>(&state.content);
    if (page == nullptr) {
        throw InputError(fmt::format("{}: {} was read before and can't be read now; see git fsck",
                                     repository_.path(), path));
    }
    page->page_id = std::get<Page>(known.content).page_id;
    known.content = std::move(*page);
    return known;
}

}  // namespace cacheledger
