#include "ingest/rows/recipes/recipe_rows.hpp"

namespace cacheledger {

RecipeRows::RecipeRows(SQLite::Database& database)
    : database_(database),
      select_package_(database,
                      "SELECT recipe_package_id FROM recipe_package "
                      "WHERE name = ? AND namespace = ?"),
      insert_commit_(database,
                     "INSERT INTO recipe_commit (package_repository_id, commit_id, committed_at, "
                     "subject) VALUES (?, ?, ?, ?)"),
      insert_package_(database, "INSERT INTO recipe_package (name, namespace) VALUES (?, ?)"),
      insert_change_(database,
                     "INSERT INTO recipe_change (recipe_package_id, recipe_commit_id) "
                     "VALUES (?, ?)"),
      insert_version_(database,
                      "INSERT OR IGNORE INTO recipe_version (recipe_package_id, version, "
                      "recipe_commit_id) VALUES (?, ?, ?)") {}

std::int64_t RecipeRows::add_commit(std::int64_t repository_id, const Digest& commit, Moment time,
                                    const std::string& subject) {
    insert_commit_(repository_id, commit, time, subject);
    return database_.getLastInsertRowid();
}

std::int64_t RecipeRows::package_id(const std::string& name_space, const std::string& name) {
    if (const auto known = select_package_(name, name_space).first()) {
        return *known;
    }
    insert_package_(name, name_space);
    return database_.getLastInsertRowid();
}

void RecipeRows::add_change(std::int64_t package_id, std::int64_t commit_id) {
    insert_change_(package_id, commit_id);
}

void RecipeRows::add_version(std::int64_t package_id, const std::string& version,
                             std::int64_t commit_id) {
    insert_version_(package_id, version, commit_id);
}

}  // namespace cacheledger
