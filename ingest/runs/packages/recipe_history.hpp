#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ingest/sources/recipes/commit_changes.hpp"

namespace cacheledger {

/// What became of one recipe. Commits are numbers in the order of the history.
struct RecipeOfHistory {
    std::vector<std::uint32_t> commits;             ///< that touched it
    std::map<std::string, std::uint32_t> versions;  ///< and the first commit that has them
};

/// What commits did.
struct RecipeHistory {
    std::map<RecipeName, RecipeOfHistory> recipes;
    std::map<std::uint32_t, std::vector<ChangedList>> lists;  ///< by commit, in their order
};

/// Reads what the commits touched, and the versions of the recipes that they left. `path`: of the
/// repository. `progress` is called with the number of commits that are read; after the last one
/// again and again, until the recipes are read. It may throw. Throws InputError if the repository
/// is damaged, UsageError if threads can't be started.
RecipeHistory read_recipe_history(const std::string& path, const std::vector<NewCommit>& commits,
                                  unsigned jobs, const std::function<void(std::size_t)>& progress);

}  // namespace cacheledger
