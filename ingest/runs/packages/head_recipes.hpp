#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <string>

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

}  // namespace cacheledger
