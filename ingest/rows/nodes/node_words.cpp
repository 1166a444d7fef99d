#include "ingest/rows/nodes/node_words.hpp"

#include <array>
#include <string_view>
#include <vector>

#include "schema/sqlite/statements/statement.hpp"

namespace cacheledger {

namespace {

using OptionalText = std::optional<std::string>;

// As the index recipe_attributes has it: no value is a blank.
std::string key_part(const OptionalText& text) {
    return text.value_or(" ");
}

std::string key_of(const Recipe& recipe) {
    std::string key = recipe.external ? "1" : "0";
    for (const OptionalText* const part :
         {&recipe.package_hash, &recipe.name_space, &recipe.flags, &recipe.patches,
          &recipe.external_path, &recipe.external_modules}) {
        key += '\0';
        key += key_part(*part);
    }
    return key;
}

// The id that `select` gives, or that of the row that `insert` writes.
template <typename Insert>
std::int64_t select_or(SQLite::Database& database, SQLite::Statement& select, Insert insert) {
    const bool is_there = select.executeStep();
    const std::int64_t id = is_there ? select.getColumn(0).getInt64() : 0;
    select.reset();
    if (is_there) {
        return id;
    }
    insert();
    return database.getLastInsertRowid();
}

}  // namespace

NodeWords::NodeWords(SQLite::Database& database)
    : database_(database),
      select_recipe_(database,
                     "SELECT recipe_id FROM recipe WHERE ifnull(package_hash, ' ') = ? "
                     "AND ifnull(namespace, ' ') = ? AND ifnull(flags, ' ') = ? "
                     "AND ifnull(patches, ' ') = ? AND external = ? "
                     "AND ifnull(external_path, ' ') = ? AND ifnull(external_modules, ' ') = ?"),
      select_recipe_of_(database,
                        "SELECT namespace, package_hash, flags, patches, external, external_path, "
                        "external_modules FROM recipe WHERE recipe_id = ?"),
      insert_recipe_(database,
                     "INSERT INTO recipe (namespace, package_hash, flags, patches, external, "
                     "external_path, external_modules) VALUES (?, ?, ?, ?, ?, ?, ?)"),
      select_target_(database,
                     "SELECT target_definition_id FROM target_definition WHERE features = ?"),
      insert_target_(database, "INSERT INTO target_definition (features) VALUES (?)"),
      insert_kind_(database, "INSERT INTO edge_kind (deptypes, virtuals) VALUES (?, ?)") {
    read_kinds();
}

void NodeWords::read_kinds() {
    SQLite::Statement kinds(database_, "SELECT edge_kind_id, deptypes, virtuals FROM edge_kind");
    while (kinds.executeStep()) {
        const Id kind_id = kinds.getColumn(0).getInt64();
        const EdgeKind kind{deptypes_of(kinds.getColumn(1).getString()), optional_text(kinds, 2)};
        kind_ids_.emplace(EdgeKey(kind.types, kind.virtuals), kind_id);
        kinds_.emplace(kind_id, kind);
    }
}

void NodeWords::drop_unused() {
    database_.exec(
        "DELETE FROM recipe WHERE recipe_id NOT IN (SELECT recipe_id FROM node);"
        "DELETE FROM target_definition WHERE target_definition_id NOT IN "
        "(SELECT target_definition_id FROM node WHERE target_definition_id IS NOT NULL);"
        "DELETE FROM edge_kind WHERE edge_kind_id NOT IN (SELECT edge_kind_id FROM dependency)");
    recipes_.clear();
    recipes_by_id_.clear();
    targets_.clear();
    kind_ids_.clear();
    kinds_.clear();
    read_kinds();
}

NodeWords::Id NodeWords::recipe(const Recipe& recipe) {
    const auto [known, is_new] = recipes_.try_emplace(key_of(recipe));
    if (is_new) {
        rebind(select_recipe_, key_part(recipe.package_hash), key_part(recipe.name_space),
               key_part(recipe.flags), key_part(recipe.patches), recipe.external ? 1 : 0,
               key_part(recipe.external_path), key_part(recipe.external_modules));
        known->second = select_or(database_, select_recipe_, [&] {
            run(insert_recipe_, recipe.name_space, recipe.package_hash, recipe.flags,
                recipe.patches, recipe.external ? 1 : 0, recipe.external_path,
                recipe.external_modules);
        });
    }
    return known->second;
}

const Recipe& NodeWords::recipe_of(Id recipe_id) {
    const auto [known, is_new] = recipes_by_id_.try_emplace(recipe_id);
    if (is_new) {
        rebind(select_recipe_of_, recipe_id);
        select_recipe_of_.executeStep();
        Recipe& recipe = known->second;
        recipe.name_space = optional_text(select_recipe_of_, 0);
        recipe.package_hash = optional_text(select_recipe_of_, 1);
        recipe.flags = optional_text(select_recipe_of_, 2);
        recipe.patches = optional_text(select_recipe_of_, 3);
        recipe.external = select_recipe_of_.getColumn(4).getInt() != 0;
        recipe.external_path = optional_text(select_recipe_of_, 5);
        recipe.external_modules = optional_text(select_recipe_of_, 6);
        select_recipe_of_.reset();
    }
    return known->second;
}

NodeWords::Id NodeWords::target_definition(const std::string& features) {
    const auto [known, is_new] = targets_.try_emplace(features);
    if (is_new) {
        rebind(select_target_, features);
        known->second =
            select_or(database_, select_target_, [&] { run(insert_target_, features); });
    }
    return known->second;
}

NodeWords::Id NodeWords::edge_kind(const EdgeKind& kind) {
    const auto [known, is_new] = kind_ids_.try_emplace({kind.types, kind.virtuals});
    if (is_new) {
        run(insert_kind_, text_of_deptypes(kind.types), kind.virtuals);
        known->second = database_.getLastInsertRowid();
        kinds_.emplace(known->second, kind);
    }
    return known->second;
}

}  // namespace cacheledger
