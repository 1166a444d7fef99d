#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "schema/ledger/names/moment.hpp"
#include "schema/text/digest.hpp"

/// Which package repositories the ledger has, and how far they were read.
namespace cacheledger {

struct StoredRepository {
    std::int64_t id = 0;
    std::string source;
    Digest head{};
    Moment first_at = 0;
    Moment head_at = 0;  ///< at least that of all commits before it along first parents
};

std::vector<StoredRepository> stored_repositories(SQLite::Database& database);

/// Adds a repository, and gives its id.
std::int64_t add_repository(SQLite::Database& database, const StoredRepository& repository);

/// Writes how far it was read now.
void update_repository(SQLite::Database& database, const StoredRepository& repository);

/// Removes a repository, its commits and its lists, and the wishes and packages that no other has.
void remove_repository(SQLite::Database& database, std::int64_t repository_id);

/// Removes the wishes that no list has in any time.
void remove_unused_wishes(SQLite::Database& database);

/// The oldest commit of a repository that touched a recipe; its head if none did.
Digest oldest_commit(SQLite::Database& database, const StoredRepository& repository);

/// The commits of all repositories that touched a recipe, and their heads.
std::set<Digest> stored_commits(SQLite::Database& database);

}  // namespace cacheledger
