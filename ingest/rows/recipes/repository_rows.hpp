#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "schema/ledger/names/moment.hpp"
#include "schema/specs/environments/wish.hpp"
#include "schema/specs/environments/wish_list.hpp"
#include "schema/sqlite/statements/rows.hpp"
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

/// Removes what the recipes at its head say.
void remove_head_recipes(SQLite::Database& database, std::int64_t repository_id);

/// Removes the wishes that no list has in any time.
void remove_unused_wishes(SQLite::Database& database);

/// The oldest commit of a repository that touched a recipe; its head if none did.
Digest oldest_commit(SQLite::Database& database, const StoredRepository& repository);

/// The commits of all repositories that touched a recipe, and their heads.
std::set<Digest> stored_commits(SQLite::Database& database);

/// Writes what lists wanted, and when. Moments must not go back. Writes in the caller's
/// transaction.
class WishRows {
  public:
    WishRows(SQLite::Database& database, std::int64_t repository_id);

    /// From this moment on, the list of the stack in this file has these wishes, and no others.
    void set(const std::string& stack, const std::string& path, const std::vector<Wish>& wishes,
             Moment moment);

    /// The stacks that the file had lists of.
    std::set<std::string> stacks_in(const std::string& path);

  private:
    std::int64_t list_id(const std::string& stack, const std::string& path);
    std::int64_t wish_id(const Wish& wish);

    SQLite::Database& database_;
    std::int64_t repository_id_;
    Select<std::int64_t> select_list_, select_wish_;
    Select<std::int64_t, std::string, Moment, std::optional<Moment>> select_;
    Write insert_list_, insert_wish_, insert_, end_, remove_;
};

/// The moment at which the lists of a repository changed last; first_moment if none did.
Moment last_change_of_lists(SQLite::Database& database, std::int64_t repository_id);

/// Writes what could not be read of lists, or not be judged, and when. Moments must not go back.
/// Writes in the caller's transaction.
class ListFindings {
  public:
    ListFindings(SQLite::Database& database, std::int64_t repository_id);

    /// From this moment on, there are these findings about the file, and no others. One that was
    /// there before keeps the line that it had first.
    void set(const std::string& path, const std::vector<WishFinding>& findings, Moment moment);

    /// The findings about the file that are there.
    std::vector<WishFinding> current(const std::string& path);

  private:
    std::int64_t repository_id_;
    Select<std::string, std::size_t, Moment, std::optional<Moment>> select_;
    Write insert_, end_, remove_;
};

}  // namespace cacheledger
