#include "ingest/sources/recipes/commit_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <queue>
#include <tuple>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/sources/git/git_repository.hpp"
#include "ingest/sources/recipes/diffed_recipes.hpp"

namespace cacheledger {

namespace {

// The commits that are reached from some without passing one of `known`.
class Walk {
  public:
    Walk(const GitRepository& repository, const std::set<Digest>& known)
        : repository_(repository), known_(known) {}

    void add(const Digest& head) {
        std::vector<Digest> waiting = {head};
        while (!waiting.empty()) {
            const Digest id = waiting.back();
            waiting.pop_back();
            if (known_.contains(id)) {
                reached_known_.insert(id);
            } else if (!found_.contains(id)) {
                auto text = repository_.commit(id);
                has_beginning_ = has_beginning_ || !text || text->parents.empty();
                if (!text) {
                    continue;  // a shallow clone lacks it
                }
                waiting.insert(waiting.end(), text->parents.begin(), text->parents.end());
                found_.emplace(id, *std::move(text));
            }
        }
    }

    // Without a beginning, all ways lead to what is known, and nothing that was found leads to it.
    void remove_known() {
        if (!has_beginning_ || reached_known_.empty()) {
            return;
        }
        std::set<Digest> seen;
        std::vector<Digest> waiting(reached_known_.begin(), reached_known_.end());
        while (!waiting.empty()) {
            const Digest id = waiting.back();
            waiting.pop_back();
            if (!seen.insert(id).second) {
                continue;
            }
            found_.erase(id);
            if (const auto text = repository_.commit(id)) {
                waiting.insert(waiting.end(), text->parents.begin(), text->parents.end());
            }
        }
    }

    std::map<Digest, CommitText>& found() { return found_; }

  private:
    const GitRepository& repository_;
    const std::set<Digest>& known_;
    std::map<Digest, CommitText> found_;
    std::set<Digest> reached_known_;
    bool has_beginning_ = false;
};

std::optional<Moment> own_time(const CommitText& text) {
    for (const auto& time : {text.committer_time, text.author_time}) {
        if (time && *time >= first_moment && *time <= last_moment) {
            return time;
        }
    }
    return std::nullopt;
}

// Puts commits behind their parents.
class Order {
  public:
    explicit Order(std::map<Digest, CommitText>& commits) : commits_(commits) {
        for (const auto& [id, text] : commits) {
            std::size_t& waits_for = waits_for_[id];
            for (const Digest& parent : std::set(text.parents.begin(), text.parents.end())) {
                if (commits.contains(parent)) {
                    ++waits_for;
                    children_[parent].push_back(id);
                }
            }
            if (waits_for == 0) {
                push(id);
            }
        }
    }

    std::vector<Digest> run() {
        std::vector<Digest> order;
        while (!ready_.empty()) {
            const Digest id = std::get<Digest>(ready_.top());
            ready_.pop();
            order.push_back(id);
            for (const Digest& child : children_[id]) {
                if (--waits_for_[child] == 0) {
                    push(child);
                }
            }
        }
        return order;
    }

  private:
    void push(const Digest& id) { ready_.emplace(own_time(commits_.at(id)).value_or(0), id); }

    using Waiting = std::pair<Moment, Digest>;

    std::map<Digest, CommitText>& commits_;
    std::map<Digest, std::size_t> waits_for_;
    std::map<Digest, std::vector<Digest>> children_;
    std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> ready_;
};

// Those along first parents.
std::set<Digest> first_line(const std::map<Digest, CommitText>& commits, Digest head) {
    std::set<Digest> line;
    for (auto found = commits.find(head); found != commits.end();) {
        line.insert(found->first);
        found =
            found->second.parents.empty() ? commits.end() : commits.find(found->second.parents[0]);
    }
    return line;
}

constexpr std::size_t kept_layouts = 64;
constexpr std::size_t kept_trees = 8;

// The value for a key among the last ones, or what `make` makes.
template <typename Value, typename Make>
Value among_last(std::deque<std::pair<Digest, Value>>& last, std::size_t most, const Digest& key,
                 const Make& make) {
    const auto found =
        std::ranges::find_if(last, [&](const auto& entry) { return entry.first == key; });
    if (found != last.end()) {
        return found->second;
    }
    last.emplace_front(key, make());
    if (last.size() > most) {
        last.pop_back();
    }
    return last.front().second;
}

using FoldersOfPackages = std::map<std::string, Digest>;

bool is_before(const TouchedRecipe& one, const TouchedRecipe& other) {
    return one.name < other.name;
}

// Those of a merge: what differs from all parents.
std::vector<TouchedRecipe> in_both(const std::vector<TouchedRecipe>& one,
                                   const std::vector<TouchedRecipe>& other) {
    std::vector<TouchedRecipe> both;
    std::set_intersection(one.begin(), one.end(), other.begin(), other.end(),
                          std::back_inserter(both), is_before);
    return both;
}

std::vector<RecipeFolder> of_name_space(const std::vector<RecipeFolder>& all,
                                        const std::string& name_space) {
    std::vector<RecipeFolder> some;
    std::copy_if(all.begin(), all.end(), std::back_inserter(some),
                 [&](const RecipeFolder& folder) { return folder.name_space == name_space; });
    return some;
}

}  // namespace

std::vector<NewCommit> new_commits(const GitRepository& repository, const Digest& head,
                                   const std::set<Digest>& known) {
    Walk walk(repository, known);
    walk.add(head);
    walk.remove_known();
    std::map<Digest, CommitText>& found = walk.found();
    const std::set<Digest> line = first_line(found, head);
    std::vector<NewCommit> commits;
    std::map<Digest, Moment> times;
    for (const Digest& id : Order(found).run()) {
        const CommitText& text = found.at(id);
        NewCommit commit{id, text.tree, {}, 0, clean_subject(text.subject), line.contains(id)};
        auto time = own_time(text);
        for (const Digest& parent : text.parents) {
            const auto one = found.find(parent);
            const auto known_one = one == found.end() ? repository.commit(parent) : std::nullopt;
            if (one == found.end() && !known_one) {
                continue;
            }
            commit.parent_trees.push_back(known_one ? known_one->tree : one->second.tree);
            if (!time) {
                time = known_one ? own_time(*known_one).value_or(0) : times.at(parent);
            }
        }
        commit.time = time.value_or(0);
        times[id] = commit.time;
        commits.push_back(std::move(commit));
    }
    return commits;
}

CommitChanges ChangeReader::read(const NewCommit& commit) {
    return at_file(repository_.path(), [&] {
        CommitChanges changes;
        const auto first =
            commit.parent_trees.empty() ? std::nullopt : std::optional(commit.parent_trees[0]);
        changes.recipes = touched(first, commit.tree);
        for (std::size_t i = 1; i < commit.parent_trees.size() && !changes.recipes.empty(); ++i) {
            changes.recipes =
                in_both(changes.recipes, touched(commit.parent_trees[i], commit.tree));
        }
        if (commit.is_on_first_line) {
            changes.lists = changed_lists(first, commit.tree);
        }
        return changes;
    });
}

std::vector<TouchedRecipe> ChangeReader::touched(const std::optional<Digest>& before,
                                                 const Digest& after) {
    std::vector<TouchedRecipe> touched;
    if (before == after) {
        return touched;
    }
    const Layout now = layout_of(after);
    const Layout old = before ? layout_of(*before) : std::make_shared<const RecipeLayout>();
    std::vector<std::string> name_spaces;
    for (const auto* const layout : {&old->recipes, &now->recipes}) {
        for (const RecipeFolder& folder : *layout) {
            name_spaces.push_back(folder.name_space);
        }
    }
    std::ranges::sort(name_spaces);
    name_spaces.erase(std::unique(name_spaces.begin(), name_spaces.end()), name_spaces.end());
    for (const std::string& name_space : name_spaces) {
        compare(of_name_space(old->recipes, name_space), of_name_space(now->recipes, name_space),
                touched);
    }
    std::ranges::stable_sort(touched, is_before);
    return touched;
}

// The folders of one namespace.
void ChangeReader::compare(const std::vector<RecipeFolder>& before,
                           const std::vector<RecipeFolder>& after,
                           std::vector<TouchedRecipe>& touched) {
    if (before == after) {
        return;
    }
    const std::string name_space = (before.empty() ? after : before)[0].name_space;
    const bool is_one = before.size() <= 1 && after.size() <= 1;
    if (is_one && (before.empty() || after.empty() || before[0].names == after[0].names)) {
        const GitBlob old = before.empty() ? GitBlob() : large_tree(before[0].tree);
        const GitBlob now = after.empty() ? GitBlob() : large_tree(after[0].tree);
        const FolderNames names = (before.empty() ? after : before)[0].names;
        for (const FolderChange& change : changed_folders(old.text, now.text)) {
            add_touched({name_space, package_of_folder(change.name, names)}, change.before,
                        change.after, touched);
        }
        return;
    }
    // The recipes move to folders with other names, or lie in several. The first one counts.
    const auto folders = [&](const std::vector<RecipeFolder>& all) {
        FoldersOfPackages by_package;
        for (const RecipeFolder& one : all) {
            const GitBlob bytes = large_tree(one.tree);
            for (const RawEntry& entry : read_tree(bytes.text)) {
                if (entry.is_folder) {
                    by_package.emplace(package_of_folder(entry.name, one.names), entry.id);
                }
            }
        }
        return by_package;
    };
    const FoldersOfPackages old = folders(before);
    FoldersOfPackages now = folders(after);
    const auto id_in = [](const FoldersOfPackages& all, const std::string& package) {
        const auto found = all.find(package);
        return found == all.end() ? std::nullopt : std::optional(found->second);
    };
    FoldersOfPackages both = old;
    both.insert(now.begin(), now.end());
    for (const auto& [package, unused] : both) {
        add_touched({name_space, package}, id_in(old, package), id_in(now, package), touched);
    }
}

void ChangeReader::add_touched(const RecipeName& name, const std::optional<Digest>& before,
                               const std::optional<Digest>& after,
                               std::vector<TouchedRecipe>& touched) {
    if (before == after || name.second.empty()) {
        return;
    }
    const auto now = file_in(after, "package.py");
    if (now || file_in(before, "package.py")) {
        touched.push_back({name, now});
    }
}

std::optional<Digest> ChangeReader::file_in(const std::optional<Digest>& folder,
                                            const char* name) const {
    if (!folder) {
        return std::nullopt;
    }
    const GitBlob bytes = repository_.tree_bytes(*folder);
    const auto file = find_in_tree(bytes.text, name, &RawEntry::is_file);
    return file ? std::optional(file->id) : std::nullopt;
}

std::vector<ChangedList> ChangeReader::changed_lists(const std::optional<Digest>& before,
                                                     const Digest& after) {
    std::map<std::string, std::pair<std::optional<Digest>, std::optional<Digest>>> folders;
    const Layout old_layout = before ? layout_of(*before) : std::make_shared<const RecipeLayout>();
    for (const StacksFolder& folder : old_layout->stacks) {
        folders[folder.path].first = folder.tree;
    }
    const Layout layout = layout_of(after);
    for (const StacksFolder& folder : layout->stacks) {
        folders[folder.path].second = folder.tree;
    }
    std::vector<ChangedList> lists;
    for (const auto& [path, trees] : folders) {
        if (trees.first == trees.second) {
            continue;
        }
        const GitBlob old = trees.first ? repository_.tree_bytes(*trees.first) : GitBlob();
        const GitBlob now = trees.second ? repository_.tree_bytes(*trees.second) : GitBlob();
        for (const FolderChange& change : changed_folders(old.text, now.text)) {
            const auto file = file_in(change.after, "spack.yaml");
            if (file != file_in(change.before, "spack.yaml")) {
                const std::string stack(change.name);
                lists.push_back({fmt::format("{}/{}/spack.yaml", path, stack), stack, file});
            }
        }
    }
    return lists;
}

ChangeReader::Layout ChangeReader::layout_of(const Digest& root) {
    return among_last(last_layouts_, kept_layouts, root,
                      [&] { return std::make_shared<const RecipeLayout>(layouts_.read(root)); });
}

GitBlob ChangeReader::large_tree(const Digest& id) {
    return among_last(last_trees_, kept_trees, id, [&] { return repository_.tree_bytes(id); });
}

}  // namespace cacheledger
