#include "ingest/rows/recipes/repository_rows.hpp"

#include <utility>

#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

std::vector<StoredRepository> stored_repositories(SQLite::Database& database) {
    return rows<std::int64_t, std::string, Digest, Moment, Moment>(
               database,
               "SELECT package_repository_id, source, head, first_at, head_at "
               "FROM package_repository ORDER BY package_repository_id")
        .to<std::vector<StoredRepository>>();
}

std::int64_t add_repository(SQLite::Database& database, const StoredRepository& repository) {
    execute(database,
            "INSERT INTO package_repository (source, head, first_at, head_at) VALUES (?, ?, ?, ?)",
            repository.source, repository.head, repository.first_at, repository.head_at);
    return database.getLastInsertRowid();
}

void update_repository(SQLite::Database& database, const StoredRepository& repository) {
    execute(database,
            "UPDATE package_repository SET source = ?, head = ?, head_at = ? "
            "WHERE package_repository_id = ?",
            repository.source, repository.head, repository.head_at, repository.id);
}

void remove_repository(SQLite::Database& database, std::int64_t repository_id) {
    constexpr const char* of_its_commits =
        "WHERE recipe_commit_id IN (SELECT recipe_commit_id FROM recipe_commit "
        "WHERE package_repository_id = ?)";
    constexpr const char* of_its_lists =
        "WHERE wish_list_id IN (SELECT wish_list_id FROM wish_list WHERE package_repository_id = "
        "?)";
    constexpr const char* of_it = "WHERE package_repository_id = ?";
    for (const auto& [table, which] :
         {std::pair("recipe_change ", of_its_commits), std::pair("recipe_version ", of_its_commits),
          std::pair("recipe_commit ", of_it), std::pair("wish_presence ", of_its_lists),
          std::pair("wish_list ", of_it), std::pair("wish_finding ", of_it),
          std::pair("package_repository ", of_it)}) {
        execute(database, std::string("DELETE FROM ") + table + which, repository_id);
    }
    database.exec(
        "DELETE FROM recipe_package "
        "WHERE recipe_package_id NOT IN (SELECT recipe_package_id FROM recipe_change)");
    remove_unused_wishes(database);
}

void remove_unused_wishes(SQLite::Database& database) {
    const int removed =
        database.exec("DELETE FROM wish WHERE wish_id NOT IN (SELECT wish_id FROM wish_presence)");
    if (removed == 0) {
        return;
    }
    database.exec("DELETE FROM wish_spec WHERE wish_id NOT IN (SELECT wish_id FROM wish)");
    // New wishes get ids again that were judged before.
    database.exec(
        "UPDATE wish_judgement SET wish_id = (SELECT ifnull(max(wish_id), 0) FROM wish) "
        "WHERE wish_id > (SELECT ifnull(max(wish_id), 0) FROM wish)");
}

Digest oldest_commit(SQLite::Database& database, const StoredRepository& repository) {
    return first_value<Digest>(database,
                               "SELECT commit_id FROM recipe_commit WHERE package_repository_id = "
                               "? ORDER BY recipe_commit_id LIMIT 1",
                               repository.id)
        .value_or(repository.head);
}

std::set<Digest> stored_commits(SQLite::Database& database) {
    return rows<Digest>(database,
                        "SELECT commit_id FROM recipe_commit UNION ALL "
                        "SELECT head FROM package_repository")
        .to<std::set<Digest>>();
}

}  // namespace cacheledger
