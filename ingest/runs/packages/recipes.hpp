#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "ingest/sources/recipes/commit_changes.hpp"
#include "schema/text/digest.hpp"

namespace cacheledger {

/// Whether the ledger has what the recipes at the head of the repository say.
bool has_head_recipes(SQLite::Database& database, std::int64_t repository_id);

/// Writes what the recipes of a commit say (tables head_recipe, head_version, head_restriction), in
/// the place of what the ledger has of the repository. `path`: of the repository. What a recipe has
/// of a class of a build system is resolved, what it has of another recipe is not: of that one, not
/// all versions are known. Writes in the caller's transaction. Throws InputError if the repository
/// is damaged, UsageError if threads can't be started.
void write_head_recipes(SQLite::Database& database, std::int64_t repository_id,
                        const std::string& path, const Digest& commit, unsigned jobs);

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
