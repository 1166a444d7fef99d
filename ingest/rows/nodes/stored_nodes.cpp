#include "ingest/rows/nodes/node_rows.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>

#include "schema/specs/constraints/target_set.hpp"

namespace cacheledger {

namespace {

using OptionalText = std::optional<std::string>;

// As the index recipe_attributes has it: no value is a blank.
std::string key_part(const OptionalText& text) {
    return text.value_or(" ");
}

constexpr std::array<std::string_view, 4> from_words = {"nothing", "node", "annotation", "edge"};
constexpr std::array<std::string_view, 5> state_words = {"recomputed", "respelled", "spliced",
                                                         "unknowable", "wrong"};

template <typename Enum, std::size_t Size>
Enum value_of(const std::array<std::string_view, Size>& words, std::string_view word) {
    return static_cast<Enum>(std::ranges::find(words, word) - words.begin());
}

template <typename Enum, std::size_t Size>
std::string word_in(const std::array<std::string_view, Size>& words, Enum value) {
    return std::string(words.at(static_cast<std::size_t>(value)));
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
        const EdgeKind kind(deptypes_of(types), std::move(virtuals));
        kind_ids_.emplace(kind, kind_id);
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
    const auto [known, is_new] = recipes_.try_emplace(recipe.text);
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
    const auto [known, is_new] = kind_ids_.try_emplace(kind);
    if (is_new) {
        insert_kind_(text_of_deptypes(kind.first), kind.second);
        known->second = database_.getLastInsertRowid();
        kinds_.emplace(known->second, kind);
    }
    return known->second;
}

bool lacks_a_child(const NodeRow& row, const NodeRow& other) {
    return std::ranges::any_of(other.dependencies, [&](const auto& one) {
        return !std::ranges::binary_search(row.dependencies, one.first, {},
                                           [](const auto& own) { return own.first; });
    });
}

bool says_the_same(const Spelled& known, const Spelled& given) {
    const auto is_same = [](const Edge& one, const Edge& other) {
        return one.child == other.child && one.types == other.types;
    };
    constexpr std::uint8_t last_form_with_keys = 2;
    return known.node.digest == given.node.digest &&
           known.node.read_again == given.node.read_again &&
           (given.node.form > last_form_with_keys ||
            std::equal(known.edges.begin(), known.edges.end(), given.edges.begin(),
                       given.edges.end(), is_same));
}

StoredNodes::StoredNodes(SQLite::Database& database, SpecRows& specs, NodeWords& words)
    : specs_(specs),
      words_(words),
      select_node_(database,
                   "SELECT n.recipe_id, n.form, n.compiler_from, n.hash_state, t.features, "
                   "n.build_hash, n.provided_virtuals, n.digest, n.read_again FROM node n "
                   "LEFT JOIN target_definition t USING (target_definition_id) "
                   "WHERE n.spec_id = ?"),
      select_dependencies_(database,
                           "SELECT dependency_id, edge_kind_id FROM dependency WHERE spec_id = ?"),
      select_spec_(database, "SELECT hash, look_id FROM spec WHERE spec_id = ?"),
      select_package_(database, "SELECT name FROM package WHERE package_id = ?") {}

Spelled StoredNodes::read(std::int64_t spec_id) {
    const auto shared = [&](const std::optional<std::string>& text) {
        return text ? values_.text(*text) : nullptr;
    };
    Spelled spelled;
    Node& node = spelled.node;
    const auto [recipe_id, form, from, state, features, build_hash, virtuals, digest, read_again] =
        select_node_(spec_id).only();
    node.recipe = recipes_(words_.recipe_of(recipe_id));
    node.form = form;
    node.compiler_from = value_of<CompilerFrom>(from_words, from);
    node.hash_state = value_of<HashState>(state_words, state);
    node.features = shared(features);
    if (build_hash) {
        node.build_hash = dag_hash(*build_hash);
    }
    node.provided_virtuals = shared(virtuals);
    node.digest = digest;
    node.read_again = read_again;
    for (const auto& [child, kind_id] : select_dependencies_(spec_id)) {
        const auto& [types, virtual_packages] = words_.edge_kind_of(kind_id);
        spelled.edges.push_back({child, types, shared(virtual_packages)});
    }
    sort_edges(spelled.edges);
    return spelled;
}

NodeRow row_of_node(const Node& node, std::int64_t recipe_id,
                    std::optional<std::int64_t> target_definition_id) {
    return {{recipe_id, node.form, word_in(from_words, node.compiler_from),
             word_in(state_words, node.hash_state), target_definition_id,
             node.build_hash ? std::optional<std::string>(text_of(*node.build_hash)) : std::nullopt,
             text_of_shared(node.provided_virtuals), node.digest, node.read_again ? 1 : 0},
            {}};
}

NodeRow StoredNodes::row_of(const Spelled& spelled) {
    const Node& node = spelled.node;
    std::optional<std::int64_t> target;
    if (node.features != nullptr) {
        target = words_.target_definition(node.features->text);
    }
    NodeRow row = row_of_node(node, words_.recipe(*node.recipe), target);
    for (const Edge& edge : spelled.edges) {
        row.dependencies.emplace_back(
            edge.child, words_.edge_kind({edge.types, text_of_shared(edge.virtuals)}));
    }
    std::ranges::sort(row.dependencies);
    return row;
}

ChildName StoredNodes::name_of(std::int64_t spec_id) {
    const auto [hash, look_id] = select_spec_(spec_id).only();
    return {select_package_(specs_.key_of(look_id)[0]).only(), hash};
}

void StoredNodes::clear() {
    values_ = {};
    recipes_ = {};
}

bool write_target_parents(SQLite::Database& database,
                          const std::map<std::string, std::set<std::string>>& parents) {
    bool has_new = false;
    const Write insert(
        database,
        "INSERT INTO target_parent (target, parent) VALUES (?, ?) ON CONFLICT DO NOTHING");
    for (const auto& [target, below] : parents) {
        if (is_of_archspec(target)) {
            continue;
        }
        for (const std::string& parent : below) {
            insert(target, parent);
            has_new = has_new || database.getChanges() > 0;
        }
    }
    if (has_new) {  // what met a wish may be another build now
        database.exec("UPDATE wish_judgement SET nodes = -1 WHERE wish_id > 0");
    }
    return has_new;
}

}  // namespace cacheledger
