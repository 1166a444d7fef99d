#include "ingest/sources/recipes/recipe_layout.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/bytes/streams/bytes.hpp"
#include "ingest/pages/front_matter/limited_yaml.hpp"
#include "schema/errors/error.hpp"
#include "schema/specs/spelling/package_name.hpp"
#include "schema/text/number.hpp"

namespace cacheledger {

namespace {

// Goes over the entries of a tree: "MODE NAME\0" and 20 bytes each.
class TreeCursor {
  public:
    explicit TreeCursor(std::string_view bytes) : rest_(bytes) {}

    bool at_end() const { return rest_.empty(); }
    std::size_t left() const { return rest_.size(); }

    // The bytes of the entry at hand.
    std::size_t size() const {
        const std::size_t end = rest_.find('\0');
        if (end == std::string_view::npos || rest_.size() - end - 1 < Digest().size()) {
            throw Problem("a tree can't be read");
        }
        return end + 1 + Digest().size();
    }

    RawEntry entry() const {
        const std::string_view bytes = rest_.substr(0, size());
        const std::size_t blank = bytes.find(' ');
        const std::size_t end = bytes.size() - Digest().size() - 1;
        if (blank == std::string_view::npos || blank > end) {
            throw Problem("a tree can't be read");
        }
        const std::string_view mode = bytes.substr(0, blank);
        RawEntry entry;
        entry.name = bytes.substr(blank + 1, end - blank - 1);
        std::memcpy(entry.id.data(), bytes.data() + end + 1, entry.id.size());
        entry.is_folder = mode == "40000" || mode == "040000";
        entry.is_file = mode.starts_with("100");
        return entry;
    }

    void next() { skip(size()); }
    void skip(std::size_t bytes) { rest_.remove_prefix(bytes); }

  private:
    std::string_view rest_;
};

// Git sorts folders as if their names ended in a slash.
bool is_before(const RawEntry& one, const RawEntry& other) {
    const std::size_t common = std::min(one.name.size(), other.name.size());
    const int order = one.name.substr(0, common).compare(other.name.substr(0, common));
    if (order != 0) {
        return order < 0;
    }
    const auto next = [&](const RawEntry& entry) -> unsigned char {
        return entry.name.size() > common ? static_cast<unsigned char>(entry.name[common])
               : entry.is_folder          ? '/'
                                          : '\0';
    };
    return next(one) < next(other) ||
           (next(one) == next(other) && one.name.size() < other.name.size());
}

// How many bytes both begin with. Looks at blocks first: most trees are nearly alike.
std::size_t common_beginning(std::string_view one, std::string_view other) {
    constexpr std::size_t block = 1024;
    const std::size_t most = std::min(one.size(), other.size());
    std::size_t same = 0;
    while (same + block <= most && std::memcmp(&one[same], &other[same], block) == 0) {
        same += block;
    }
    while (same < most && one[same] == other[same]) {
        ++same;
    }
    return same;
}

// And end with.
std::size_t common_end(std::string_view one, std::string_view other) {
    constexpr std::size_t block = 1024;
    const std::size_t most = std::min(one.size(), other.size());
    const char* const end = one.data() + one.size();
    const char* const other_end = other.data() + other.size();
    std::size_t same = 0;
    while (same + block <= most &&
           std::memcmp(end - same - block, other_end - same - block, block) == 0) {
        same += block;
    }
    while (same < most && *(end - same - 1) == *(other_end - same - 1)) {
        ++same;
    }
    return same;
}

// Moves both cursors over the entries that lie whole in what the trees begin with.
void skip_common_beginning(std::string_view before, std::string_view after, TreeCursor& old,
                           TreeCursor& now) {
    const std::size_t common = common_beginning(before, after);
    while (!old.at_end()) {
        const std::size_t size = old.size();
        if (before.size() - old.left() + size > common) {
            return;
        }
        old.skip(size);
        now.skip(size);
    }
}

constexpr std::array<const char*, 2> places_of_stacks = {
    "stacks", "share/spack/gitlab/cloud_pipelines/stacks"};
constexpr const char* name_of_repo_file = "repo.yaml";
constexpr const char* folder_of_modules = "spack_repo";

void refuse_large_repo_file(std::uintmax_t bytes) {
    constexpr std::uintmax_t most_bytes = 1 << 16;
    if (bytes > most_bytes) {
        throw Problem("a repo.yaml is too large");
    }
}

YAML::Node load_repo_file(std::string_view text) {
    LimitedYaml yaml;
    for (int number = 1; !text.empty(); ++number) {
        const std::string_view line = take_line(text);
        yaml.add(line == "---" ? "" : line, number);
    }
    return YAML::Load(yaml.text());
}

// The first number of "v2.0".
bool is_from_2_on(const std::string& api) {
    std::string_view number = api;
    number.remove_prefix(number.starts_with('v') ? 1 : 0);
    number = number.substr(0, number.find('.'));
    return !number.empty() && std::ranges::all_of(number, is_digit) &&
           (number.size() > 1 || number >= "2");
}

// The first folders of those that a tree has.
constexpr std::size_t most_that_are_tried = 64;

}  // namespace

std::vector<RawEntry> read_tree(std::string_view bytes) {
    std::vector<RawEntry> entries;
    for (TreeCursor cursor(bytes); !cursor.at_end(); cursor.next()) {
        entries.push_back(cursor.entry());
    }
    return entries;
}

std::optional<RawEntry> find_in_tree(std::string_view bytes, std::string_view name,
                                     bool RawEntry::*kind) {
    for (TreeCursor cursor(bytes); !cursor.at_end(); cursor.next()) {
        const RawEntry entry = cursor.entry();
        if (entry.name == name && entry.*kind) {
            return entry;
        }
    }
    return std::nullopt;
}

std::vector<FolderChange> changed_folders(std::string_view before, std::string_view after) {
    TreeCursor old(before);
    TreeCursor now(after);
    skip_common_beginning(before, after, old, now);
    const std::size_t same_at_end = common_end(before, after);
    std::vector<FolderChange> changes;
    const auto add = [&](std::string_view name, std::optional<Digest> from,
                         std::optional<Digest> to) {
        if (from != to) {
            changes.push_back({name, from, to});
        }
    };
    const auto id_of = [](const RawEntry& entry) {
        return entry.is_folder ? std::optional(entry.id) : std::nullopt;
    };
    while (!old.at_end() || !now.at_end()) {
        if (old.left() == now.left() && old.left() <= same_at_end) {
            break;
        }
        if (now.at_end() || (!old.at_end() && is_before(old.entry(), now.entry()))) {
            add(old.entry().name, id_of(old.entry()), std::nullopt);
            old.next();
        } else if (old.at_end() || is_before(now.entry(), old.entry())) {
            add(now.entry().name, std::nullopt, id_of(now.entry()));
            now.next();
        } else {
            add(old.entry().name, id_of(old.entry()), id_of(now.entry()));
            old.next();
            now.next();
        }
    }
    return changes;
}

std::string package_of_folder(std::string_view folder, FolderNames names) {
    if (!is_package_name(folder)) {
        return "";
    }
    std::string name(folder);
    if (names == FolderNames::modules) {
        name.erase(0, std::min(name.find_first_not_of('_'), name.size()));
        std::replace(name.begin(), name.end(), '_', '-');
    }
    return name;
}

RecipeLayout LayoutReader::read(const Digest& root) {
    RecipeLayout layout;
    for (const Folder& folder : folders_in(root)) {
        if (folder.name == "repos") {
            add_all_below(folder.tree, 2, false, layout);
        } else if (folder.name == folder_of_modules) {
            add_all_below(folder.tree, 1, true, layout);
        } else if (folder.name == "var") {
            if (const auto repos = repository_.find(folder.tree, "spack/repos");
                repos && repos->is_folder()) {
                add_all_below(repos->id, 2, false, layout);
            }
        }
    }
    add_if_repository({"", root}, false, true, layout);
    for (const char* const path : places_of_stacks) {
        if (const auto stacks = repository_.find(root, path); stacks && stacks->is_folder()) {
            layout.stacks.push_back({path, stacks->id});
        }
    }
    return layout;
}

std::vector<LayoutReader::Folder> LayoutReader::folders_in(const Digest& tree) const {
    std::vector<Folder> folders;
    const GitBlob bytes = repository_.tree_bytes(tree);
    for (const RawEntry& entry : read_tree(bytes.text)) {
        if (entry.is_folder) {
            folders.push_back({std::string(entry.name), entry.id});
        }
    }
    return folders;
}

// Adds the repositories in a folder, and in its folders: repos/builtin, repos/spack_repo/builtin.
void LayoutReader::add_all_below(const Digest& tree, unsigned depth, bool are_modules,
                                 RecipeLayout& layout) {
    const std::vector<Folder> folders = folders_in(tree);
    if (folders.size() > most_name_spaces) {
        throw InputError(fmt::format("{}: expected at most {} namespaces, found more",
                                     repository_.path(), most_name_spaces));
    }
    for (const Folder& folder : folders) {
        const bool is_one = add_if_repository(folder, are_modules, false, layout);
        if (!is_one && depth > 1) {
            add_all_below(folder.tree, depth - 1, folder.name == folder_of_modules, layout);
        }
    }
}

bool LayoutReader::add_if_repository(const Folder& folder, bool are_modules, bool needs_file,
                                     RecipeLayout& layout) {
    const GitBlob bytes = repository_.tree_bytes(folder.tree);
    const auto packages = find_in_tree(bytes.text, "packages", &RawEntry::is_folder);
    const auto file = find_in_tree(bytes.text, name_of_repo_file, &RawEntry::is_file);
    if (!packages || (needs_file && !file)) {
        return false;
    }
    const auto systems = find_in_tree(bytes.text, "build_systems", &RawEntry::is_folder);
    const RepoFile said = file ? repo_file(file->id) : RepoFile();
    const std::string name = said.name_space.empty() ? folder.name : said.name_space;
    const bool has_modules = are_modules || said.has_modules;
    layout.recipes.push_back({canonical_name_space(name),
                              has_modules ? FolderNames::modules : FolderNames::packages,
                              packages->id, systems ? std::optional(systems->id) : std::nullopt});
    return true;
}

// One that can't be read says nothing.
const LayoutReader::RepoFile& LayoutReader::repo_file(const Digest& blob) {
    const auto [found, is_new] = repo_files_.try_emplace(blob);
    if (!is_new) {
        return found->second;
    }
    try {
        const GitBlob text = repository_.blob(blob, refuse_large_repo_file);
        const YAML::Node repo = load_repo_file(text.text)["repo"];
        if (repo.IsMap() && repo["namespace"].IsDefined()) {
            found->second.name_space = repo["namespace"].as<std::string>();
        }
        if (repo.IsMap() && repo["api"].IsDefined()) {
            found->second.has_modules = is_from_2_on(repo["api"].as<std::string>());
        }
    } catch (const Problem&) {
    } catch (const YAML::Exception&) {
    }
    return found->second;
}

bool is_package_repository(const std::string& path) {
    if (!is_git_repository(path)) {
        return false;
    }
    try {
        const GitRepository repository(path);
        const auto head = repository.head();
        const auto commit = head ? repository.commit(*head) : std::nullopt;
        if (!commit) {
            return false;
        }
        const RecipeLayout layout = LayoutReader(repository).read(commit->tree);
        const auto has_one_of = [&](const Digest& folder, const char* file) {
            const GitBlob bytes = repository.tree_bytes(folder);
            auto entries = read_tree(bytes.text);
            entries.resize(std::min(entries.size(), most_that_are_tried));
            return std::ranges::any_of(entries, [&](const RawEntry& entry) {
                return entry.is_folder &&
                       find_in_tree(repository.tree_bytes(entry.id).text, file, &RawEntry::is_file);
            });
        };
        const auto has_recipes = [&](const RecipeFolder& folder) {
            return has_one_of(folder.tree, "package.py");
        };
        const auto has_lists = [&](const StacksFolder& folder) {
            return has_one_of(folder.tree, "spack.yaml");
        };
        return std::ranges::any_of(layout.recipes, has_recipes) ||
               std::ranges::any_of(layout.stacks, has_lists);
    } catch (const Problem&) {
    } catch (const InputError&) {
    } catch (const UsageError&) {  // libgit2 is not installed
    }
    return false;
}

}  // namespace cacheledger
