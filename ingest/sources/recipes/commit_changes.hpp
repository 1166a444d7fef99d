#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ingest/sources/git/git_repository.hpp"
#include "ingest/sources/recipes/new_commits.hpp"
#include "ingest/sources/recipes/recipe_layout.hpp"

namespace cacheledger {

/// A package, by the namespace of its recipe and its name.
using RecipeName = std::pair<std::string, std::string>;

/// A recipe that a commit touched: something in its folder differs.
struct TouchedRecipe {
    RecipeName name;
    std::optional<Digest> text;  ///< its package.py; nullopt if the commit removed it
};

/// A spack.yaml of a stack that a commit changed.
struct ChangedList {
    std::string path;
    std::string stack;           ///< the name of its folder
    std::optional<Digest> text;  ///< nullopt if the commit removed it
};

struct CommitChanges {
    std::vector<TouchedRecipe> recipes;  ///< each once, sorted by name
    std::vector<ChangedList> lists;      ///< against the first parent
};

/// Finds out what commits touched. Keeps the trees of the last commits: give it neighbours one
/// after the other, the later one first. For one thread.
class ChangeReader {
  public:
    /// Throws like GitRepository().
    explicit ChangeReader(const std::string& path) : repository_(path), layouts_(repository_) {}

    /// A commit with several parents touched what differs from all of them. One without touched all
    /// that it has. Throws InputError if the repository is damaged.
    CommitChanges read(const NewCommit& commit);

    /// The lists that differ between two trees of commits; nullopt: the empty tree.
    std::vector<ChangedList> changed_lists(const std::optional<Digest>& before,
                                           const Digest& after);

    const GitRepository& repository() const { return repository_; }

  private:
    using Layout = std::shared_ptr<const RecipeLayout>;

    std::vector<TouchedRecipe> touched(const std::optional<Digest>& before, const Digest& after);
    void compare(const std::vector<RecipeFolder>& before, const std::vector<RecipeFolder>& after,
                 std::vector<TouchedRecipe>& touched);
    void add_touched(const RecipeName& name, const std::optional<Digest>& before,
                     const std::optional<Digest>& after, std::vector<TouchedRecipe>& touched);
    std::optional<Digest> file_in(const std::optional<Digest>& folder, const char* name) const;
    Layout layout_of(const Digest& root);
    GitBlob large_tree(const Digest& id);

    GitRepository repository_;
    LayoutReader layouts_;
    std::deque<std::pair<Digest, Layout>> last_layouts_;
    std::deque<std::pair<Digest, GitBlob>> last_trees_;
};

}  // namespace cacheledger
