#include "ingest/runs/packages/recipes.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/rows/recipes/repository_rows.hpp"
#include "ingest/sources/files/threads.hpp"
#include "ingest/sources/git/git_repository.hpp"
#include "ingest/sources/recipes/commit_changes.hpp"
#include "ingest/sources/recipes/diffed_recipes.hpp"
#include "ingest/sources/recipes/recipe_layout.hpp"
#include "ingest/sources/recipes/recipe_text.hpp"
#include "schema/specs/spelling/package_name.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

// Where spack/spack had the build systems before Spack 1.0.
constexpr const char* older_build_systems = "lib/spack/spack/build_systems";

/// What a recipe says, with what its classes have of build systems.
struct HeadRecipe {
    std::map<std::string, std::optional<bool>> versions;  ///< and whether they are deprecated
    bool knows_versions = false;
    std::map<std::string, bool> restrictions;  ///< conditions, and whether they are specs
};

// Of a text that is too large, nothing is known.
std::optional<RecipeText> read_module(const GitRepository& repository, const Digest& file) {
    try {
        return read_recipe_text(repository.blob(file, refuse_large_recipe).text);
    } catch (const Problem&) {
        return std::nullopt;
    }
}

/// The classes of build systems, by name.
class BuildSystems {
  public:
    void add_folder(const GitRepository& repository, const Digest& tree) {
        const GitBlob bytes = repository.tree_bytes(tree);
        for (const RawEntry& entry : read_tree(bytes.text)) {
            if (!entry.is_file || !entry.name.ends_with(".py")) {
                continue;
            }
            if (auto module = read_module(repository, entry.id)) {
                // What it imports by a relative path is of a build system that is read, too.
                std::set<std::string> imported = std::move(module->from_build_systems);
                imported.merge(module->from_other_modules);
                for (RecipeClass& one : module->classes) {
                    const std::string name = one.name;
                    classes_.try_emplace(name, SystemClass{std::move(one), {{}, {}, {}, imported}});
                }
            }
        }
    }

    /// With all that its classes have of these.
    HeadRecipe with_bases(const RecipeText& text) const {
        HeadRecipe recipe;
        std::set<std::string_view> seen;
        bool is_known = true;
        for (const RecipeClass& one : text.classes) {
            seen.insert(one.name);
            add_own(recipe, one, is_known);
        }
        for (const RecipeClass& one : text.classes) {
            for (const std::string& base : one.bases) {
                add_base(recipe, text, base, seen, is_known);
            }
        }
        recipe.knows_versions = is_known && !recipe.versions.empty();
        return recipe;
    }

  private:
    struct SystemClass {
        RecipeClass own;
        RecipeText imports;  ///< of its module, without classes
    };

    static void add_own(HeadRecipe& recipe, const RecipeClass& one, bool& is_known) {
        is_known = is_known && !one.has_other_versions;
        for (const RecipeVersion& version : one.versions) {
            recipe.versions.insert_or_assign(version.text, version.is_deprecated);
        }
        for (const RecipeRestriction& restriction : one.restrictions) {
            recipe.restrictions.emplace(restriction.condition, restriction.is_spec);
        }
    }

    /// Adds what the recipe does not have yet. `text`: of the module that names the base.
    void add_base(HeadRecipe& recipe, const RecipeText& text, std::string_view written,
                  std::set<std::string_view>& seen, bool& is_known) const {
        const std::string_view base = written.substr(written.rfind('.') + 1);
        const bool is_name = std::ranges::all_of(base, is_word_character);
        if (!is_name || text.from_other_modules.contains(std::string(base)) ||
            text.from_near_modules.contains(std::string(base))) {
            is_known = false;
            return;
        }
        const auto found = classes_.find(base);
        if (!seen.insert(base).second) {
            return;
        }
        if (found == classes_.end()) {
            // One of Spack itself, such as PackageBase, unless it is a member of a module.
            is_known = is_known && base.size() == written.size() &&
                       !text.from_build_systems.contains(std::string(base));
            return;
        }
        HeadRecipe of_base;
        add_own(of_base, found->second.own, is_known);
        recipe.versions.merge(of_base.versions);
        recipe.restrictions.merge(of_base.restrictions);
        for (const std::string& next : found->second.own.bases) {
            add_base(recipe, found->second.imports, next, seen, is_known);
        }
    }

    std::map<std::string, SystemClass, std::less<>> classes_;
};

struct RecipeFile {
    RecipeName name;
    Digest folder{};
};

/// Those of all namespaces. Of two folders of one package, the first one counts.
std::vector<RecipeFile> recipe_files(const GitRepository& repository, const RecipeLayout& layout) {
    std::map<RecipeName, Digest> files;
    for (const RecipeFolder& folder : layout.recipes) {
        const GitBlob bytes = repository.tree_bytes(folder.tree);
        for (const RawEntry& entry : read_tree(bytes.text)) {
            std::string package =
                entry.is_folder ? package_of_folder(entry.name, folder.names) : "";
            if (!package.empty()) {
                files.try_emplace({folder.name_space, std::move(package)}, entry.id);
            }
        }
    }
    std::vector<RecipeFile> all;
    all.reserve(files.size());
    for (auto& [name, folder] : files) {
        all.push_back({name, folder});
    }
    return all;
}

/// nullopt: the folder has no recipe.
std::optional<HeadRecipe> read_head_recipe(const GitRepository& repository, const Digest& folder,
                                           const BuildSystems& systems) {
    const GitBlob bytes = repository.tree_bytes(folder);
    const auto file = find_in_tree(bytes.text, "package.py", &RawEntry::is_file);
    if (!file) {
        return std::nullopt;
    }
    const auto text = read_module(repository, file->id);
    return text ? systems.with_bases(*text) : HeadRecipe();
}

/// Writes recipes of packages that a commit touched: of others the ledger has no row.
class HeadRows {
  public:
    HeadRows(SQLite::Database& database, std::int64_t repository_id)
        : repository_id_(repository_id),
          select_package_(
              database,
              "SELECT recipe_package_id FROM recipe_package WHERE namespace = ? AND name = ?"),
          insert_recipe_(database, "INSERT INTO head_recipe VALUES (?, ?, ?)"),
          insert_version_(database, "INSERT INTO head_version VALUES (?, ?, ?, ?)"),
          insert_restriction_(database, "INSERT INTO head_restriction VALUES (?, ?, ?, ?)") {
        remove_head_recipes(database, repository_id);
    }

    void write(const RecipeName& name, const HeadRecipe& recipe) {
        const auto package = select_package_(name.first, name.second).first();
        if (!package) {
            return;
        }
        insert_recipe_(*package, repository_id_, recipe.knows_versions);
        for (const auto& [version, is_deprecated] : recipe.versions) {
            insert_version_(*package, repository_id_, version, is_deprecated);
        }
        for (const auto& [condition, is_spec] : recipe.restrictions) {
            insert_restriction_(*package, repository_id_, condition, is_spec);
        }
    }

  private:
    std::int64_t repository_id_;
    Select<std::int64_t> select_package_;
    Write insert_recipe_, insert_version_, insert_restriction_;
};

// So many follow each other in a thread: what it remembers of one helps with the next.
constexpr std::size_t most_neighbours = 256;

// A text of a recipe, and the commit that left it.
struct TextOfCommit {
    std::uint32_t commit = 0;
    Digest text{};
    bool is_alone = false;  // the commit touched no other recipe
};

struct TextsOfRecipe {
    RecipeOfHistory* recipe = nullptr;
    std::vector<TextOfCommit> texts;
    std::string name;
};

using Versions = std::map<std::string, std::uint32_t>;

// Finds the versions of recipes. For one thread.
class VersionReader {
  public:
    VersionReader(const std::string& path, const std::vector<NewCommit>& commits)
        : repository_(path), commits_(commits) {}

    // From new to old, as git packs texts: what is older is made from what is newer.
    Versions read(const TextsOfRecipe& texts) {
        Versions versions;
        std::optional<Digest> last;
        RecipeVersions found;
        for (auto text = texts.texts.rbegin(); text != texts.texts.rend(); ++text) {
            if (last != text->text) {
                last = text->text;
                found = read_text(text->text);
            }
            for (const std::string& version : found.versions) {
                versions[version] = text->commit;
            }
            if (!found.calls_version && text->is_alone) {
                const std::string& subject = commits_[text->commit].subject;
                for (const std::string& version : versions_of_subject(subject, texts.name)) {
                    versions[version] = text->commit;
                }
            }
        }
        return versions;
    }

  private:
    // Of a text that is too large, nothing is known.
    RecipeVersions read_text(const Digest& text) {
        try {
            return recipe_versions(repository_.blob(text, refuse_large_recipe).text);
        } catch (const Problem&) {
            return {{}, true};
        }
    }

    GitRepository repository_;
    const std::vector<NewCommit>& commits_;
};

}  // namespace

bool has_head_recipes(SQLite::Database& database, std::int64_t repository_id) {
    return only_value<bool>(
        database, "SELECT EXISTS (SELECT 1 FROM head_recipe WHERE package_repository_id = ?)",
        repository_id);
}

void write_head_recipes(SQLite::Database& database, std::int64_t repository_id,
                        const std::string& path, const Digest& commit, unsigned jobs) {
    at_file(path, [&] {
        const GitRepository repository(path);
        const Digest root = repository.commit(commit).value().tree;
        const RecipeLayout layout = LayoutReader(repository).read(root);
        BuildSystems systems;
        for (const RecipeFolder& folder : layout.recipes) {
            if (folder.build_systems) {
                systems.add_folder(repository, *folder.build_systems);
            }
        }
        if (const auto older = repository.find(root, older_build_systems);
            older && older->is_folder()) {
            systems.add_folder(repository, older->id);
        }
        const std::vector<RecipeFile> files = recipe_files(repository, layout);
        const auto start_reader = [&] {
            return [&, own = std::make_shared<GitRepository>(path)](std::size_t i) {
                return read_head_recipe(*own, files[i].folder, systems);
            };
        };
        OrderedStream<std::optional<HeadRecipe>> recipes(start_reader, jobs);
        recipes.start(files.size());
        HeadRows rows(database, repository_id);
        for (const RecipeFile& file : files) {
            if (const auto recipe = recipes.next().value()) {
                rows.write(file.name, *recipe);
            }
        }
    });
}

RecipeHistory read_recipe_history(const std::string& path, const std::vector<NewCommit>& commits,
                                  unsigned jobs, const std::function<void(std::size_t)>& progress) {
    std::vector<CommitChanges> changes(commits.size());
    const auto read_changes = [&] {
        return [&, reader = std::make_shared<ChangeReader>(path)](std::size_t i) {
            return reader->read(commits[commits.size() - 1 - i]);
        };
    };
    OrderedStream<CommitChanges> all_changes(read_changes, jobs, most_neighbours);
    all_changes.start(commits.size());
    for (std::size_t left = commits.size(); left > 0; --left) {
        changes[left - 1] = all_changes.next().value();
        progress(commits.size() - left + 1);
    }
    RecipeHistory history;
    std::map<RecipeName, std::vector<TextOfCommit>> texts;
    for (std::uint32_t commit = 0; commit < commits.size(); ++commit) {
        CommitChanges& change = changes[commit];
        for (const TouchedRecipe& touched : change.recipes) {
            history.recipes[touched.name].commits.push_back(commit);
            if (touched.text) {
                texts[touched.name].push_back({commit, *touched.text, change.recipes.size() == 1});
            }
        }
        if (!change.lists.empty()) {
            history.lists.emplace(commit, std::move(change.lists));
        }
        change = {};
    }
    std::vector<TextsOfRecipe> recipes;
    recipes.reserve(texts.size());
    for (auto& [name, of_recipe] : texts) {
        recipes.push_back({&history.recipes.at(name), std::move(of_recipe), name.second});
    }
    const auto read_versions = [&] {
        return [&, reader = std::make_shared<VersionReader>(path, commits)](std::size_t i) {
            return reader->read(recipes[i]);
        };
    };
    OrderedStream<Versions> all_versions(read_versions, jobs);
    all_versions.start(recipes.size());
    for (const TextsOfRecipe& recipe : recipes) {
        recipe.recipe->versions = all_versions.next().value();
        progress(commits.size());
    }
    return history;
}

}  // namespace cacheledger
