#include "ingest/rows/nodes/node_words.hpp"

#include <array>
#include <string_view>
#include <tuple>
#include <vector>

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
    for (auto&& [kind_id, types, virtuals] : rows<Id, std::string, OptionalText>(
             database_, "SELECT edge_kind_id, deptypes, virtuals FROM edge_kind")) {
        const EdgeKind kind{deptypes_of(types), std::move(virtuals)};
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
        const auto found =
            select_recipe_(key_part(recipe.package_hash), key_part(recipe.name_space),
                           key_part(recipe.flags), key_part(recipe.patches), recipe.external,
                           key_part(recipe.external_path), key_part(recipe.external_modules))
                .first();
        if (!found) {
            insert_recipe_(recipe.name_space, recipe.package_hash, recipe.flags, recipe.patches,
                           recipe.external, recipe.external_path, recipe.external_modules);
        }
        known->second = found ? *found : database_.getLastInsertRowid();
    }
    return known->second;
}

const Recipe& NodeWords::recipe_of(Id recipe_id) {
    const auto [known, is_new] = recipes_by_id_.try_emplace(recipe_id);
    if (is_new) {
        Recipe& recipe = known->second;
        std::tie(recipe.name_space, recipe.package_hash, recipe.flags, recipe.patches,
                 recipe.external, recipe.external_path, recipe.external_modules) =
            select_recipe_of_(recipe_id).only();
    }
    return known->second;
}

NodeWords::Id NodeWords::target_definition(const std::string& features) {
    const auto [known, is_new] = targets_.try_emplace(features);
    if (is_new) {
        const auto found = select_target_(features).first();
        if (!found) {
            insert_target_(features);
        }
        known->second = found ? *found : database_.getLastInsertRowid();
    }
    return known->second;
}

NodeWords::Id NodeWords::edge_kind(const EdgeKind& kind) {
    const auto [known, is_new] = kind_ids_.try_emplace({kind.types, kind.virtuals});
    if (is_new) {
        insert_kind_(text_of_deptypes(kind.types), kind.virtuals);
        known->second = database_.getLastInsertRowid();
        kinds_.emplace(known->second, kind);
    }
    return known->second;
}

}  // namespace cacheledger
