#include "ingest/rows/nodes/stored_nodes.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace cacheledger {

namespace {

constexpr std::array<std::string_view, 4> from_words = {"nothing", "node", "annotation", "edge"};
constexpr std::array<std::string_view, 5> state_words = {"recomputed", "respelled", "spliced",
                                                         "unknowable", "wrong"};

template <typename Enum, std::size_t Size>
Enum value_of(const std::array<std::string_view, Size>& words, std::string_view word) {
    return static_cast<Enum>(std::find(words.begin(), words.end(), word) - words.begin());
}

std::optional<std::string> optional_of(const Shared<Text>* text) {
    return text == nullptr ? std::nullopt : std::optional(text->text);
}

}  // namespace

std::string word_of(CompilerFrom from) {
    return std::string(from_words.at(static_cast<std::size_t>(from)));
}

std::string word_of(HashState state) {
    return std::string(state_words.at(static_cast<std::size_t>(state)));
}

bool lacks_a_child(const NodeRow& row, const NodeRow& other) {
    return std::any_of(
        other.dependencies.begin(), other.dependencies.end(), [&](const DependencyRow& one) {
            const auto found = std::lower_bound(row.dependencies.begin(), row.dependencies.end(),
                                                DependencyRow{one.dependency_id, 0});
            return found == row.dependencies.end() || found->dependency_id != one.dependency_id;
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
        const EdgeKind& kind = words_.edge_kind_of(kind_id);
        spelled.edges.push_back({child, kind.types, shared(kind.virtuals)});
    }
    sort_edges(spelled.edges);
    return spelled;
}

NodeRow StoredNodes::row_of(const Spelled& spelled) {
    const Node& node = spelled.node;
    NodeRow row;
    row.recipe_id = words_.recipe(*node.recipe);
    row.form = node.form;
    row.compiler_from = node.compiler_from;
    row.hash_state = node.hash_state;
    if (node.features != nullptr) {
        row.target_definition_id = words_.target_definition(node.features->text);
    }
    if (node.build_hash) {
        row.build_hash = std::string(text_of(*node.build_hash));
    }
    row.provided_virtuals = optional_of(node.provided_virtuals);
    row.digest = node.digest;
    row.read_again = node.read_again;
    for (const Edge& edge : spelled.edges) {
        row.dependencies.push_back(
            {edge.child, words_.edge_kind({edge.types, optional_of(edge.virtuals)})});
    }
    std::sort(row.dependencies.begin(), row.dependencies.end());
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

}  // namespace cacheledger
