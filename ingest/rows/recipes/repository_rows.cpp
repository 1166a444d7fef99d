#include "ingest/rows/recipes/repository_rows.hpp"

#include <SQLiteCpp/Statement.h>

#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

std::vector<StoredRepository> stored_repositories(SQLite::Database& database) {
    SQLite::Statement select(database,
                             "SELECT package_repository_id, source, head, first_at, head_at "
                             "FROM package_repository ORDER BY package_repository_id");
    std::vector<StoredRepository> repositories;
    while (select.executeStep()) {
        repositories.push_back({select.getColumn(0).getInt64(), select.getColumn(1).getString(),
                                bytes_column<Digest>(select, 2), select.getColumn(3).getInt64(),
                                select.getColumn(4).getInt64()});
    }
    return repositories;
}

std::int64_t add_repository(SQLite::Database& database, const StoredRepository& repository) {
    SQLite::Statement insert(
        database,
        "INSERT INTO package_repository (source, head, first_at, head_at) VALUES (?, ?, ?, ?)");
    run(insert, repository.source, repository.head, repository.first_at, repository.head_at);
    return database.getLastInsertRowid();
}

void update_repository(SQLite::Database& database, const StoredRepository& repository) {
    SQLite::Statement update(database,
                             "UPDATE package_repository SET source = ?, head = ?, head_at = ? "
                             "WHERE package_repository_id = ?");
    run(update, repository.source, repository.head, repository.head_at, repository.id);
}

void remove_repository(SQLite::Database& database, std::int64_t repository_id) {
    constexpr const char* of_its_commits =
        "WHERE recipe_commit_id IN (SELECT recipe_commit_id FROM recipe_commit "
        "WHERE package_repository_id = ?)";
    constexpr const char* of_its_lists =
        "WHERE wish_list_id IN (SELECT wish_list_id FROM wish_list WHERE package_repository_id = "
        "?)";
    constexpr const char* of_it = "WHERE package_repository_id = ?";
    const std::vector<std::string> deletions = {
        std::string("DELETE FROM recipe_change ") + of_its_commits,
        std::string("DELETE FROM recipe_version ") + of_its_commits,
        std::string("DELETE FROM recipe_commit ") + of_it,
        std::string("DELETE FROM wish_presence ") + of_its_lists,
        std::string("DELETE FROM wish_list ") + of_it,
        std::string("DELETE FROM wish_finding ") + of_it,
        std::string("DELETE FROM package_repository ") + of_it,
    };
    for (const std::string& deletion : deletions) {
        SQLite::Statement remove(database, deletion);
        run(remove, repository_id);
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
    SQLite::Statement select(database,
                             "SELECT commit_id FROM recipe_commit WHERE package_repository_id = ? "
                             "ORDER BY recipe_commit_id LIMIT 1");
    rebind(select, repository.id);
    return select.executeStep() ? bytes_column<Digest>(select, 0) : repository.head;
}

std::set<Digest> stored_commits(SQLite::Database& database) {
    std::set<Digest> commits;
    for (const char* const query :
         {"SELECT commit_id FROM recipe_commit", "SELECT head FROM package_repository"}) {
        SQLite::Statement select(database, query);
        while (select.executeStep()) {
            commits.insert(bytes_column<Digest>(select, 0));
        }
    }
    return commits;
}

}  // namespace cacheledger
