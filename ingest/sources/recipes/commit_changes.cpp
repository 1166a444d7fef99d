#include "ingest/sources/recipes/commit_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>

#include "ingest/bytes/problems/at_file.hpp"
#include "ingest/sources/recipes/tree_bytes.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t kept_layouts = 64;
constexpr std::size_t kept_trees = 8;

// The value for a key among the last ones, or what `make` makes.
template <typename Value, typename Make>
Value among_last(std::deque<std::pair<Digest, Value>>& last, std::size_t most, const Digest& key,
                 const Make& make) {
    const auto found = std::find_if(last.begin(), last.end(),
                                    [&](const auto& entry) { return entry.first == key; });
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
    std::sort(name_spaces.begin(), name_spaces.end());
    name_spaces.erase(std::unique(name_spaces.begin(), name_spaces.end()), name_spaces.end());
    for (const std::string& name_space : name_spaces) {
        compare(of_name_space(old->recipes, name_space), of_name_space(now->recipes, name_space),
                touched);
    }
    std::stable_sort(touched.begin(), touched.end(), is_before);
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
