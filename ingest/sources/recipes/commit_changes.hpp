#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ingest/sources/git/git_repository.hpp"
#include "ingest/sources/recipes/recipe_layout.hpp"

namespace cacheledger {

/// A commit of a package repository.
struct NewCommit {
    Digest id{};
    Digest tree{};
    std::vector<Digest> parent_trees;  ///< of the parents that the repository has, in their order
    /// The committer's; the author's, or that of its first parent, where that can't be read.
    Moment time = 0;
    std::string subject;            ///< clean_subject()
    bool is_on_first_line = false;  ///< of the history along first parents
};

/// The commits that lead to `head`, `head` included, without those of `known` and what leads to
/// them. Each comes after its parents; where that leaves a choice, the earlier one comes first.
/// What is known is not walked, unless a branch began before it. Throws InputError if a commit
/// can't be read.
std::vector<NewCommit> new_commits(const GitRepository& repository, const Digest& head,
                                   const std::set<Digest>& known);

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
