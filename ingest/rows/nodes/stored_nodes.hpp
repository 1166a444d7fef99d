#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ingest/graphs/graph/graph.hpp"
#include "ingest/graphs/merge/merge.hpp"
#include "ingest/pages/page/page.hpp"
#include "ingest/rows/specs/spec_rows.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/text/keyed_hash.hpp"

namespace cacheledger {

/// How one spec depends on another, as the table edge_kind has it.
struct EdgeKind {
    std::uint8_t types = 0;               ///< bits of DepType
    std::optional<std::string> virtuals;  ///< nothing: not said
};

/// Finds the ids of what many nodes share (recipes, target definitions, kinds of edges) in the
/// ledger, and writes new ones at once. Writes in the caller's transaction; after a rollback this
/// object must not be used again.
class NodeWords {
  public:
    using Id = std::int64_t;

    explicit NodeWords(SQLite::Database& database);

    /// Recipes are told apart by their text.
    Id recipe(const Recipe& recipe);
    /// The recipe of an id, without its text.
    const Recipe& recipe_of(Id recipe_id);

    Id target_definition(const std::string& features);

    Id edge_kind(const EdgeKind& kind);
    const EdgeKind& edge_kind_of(Id edge_kind_id) const { return kinds_.at(edge_kind_id); }

    /// Deletes what no node and no edge has, and forgets all ids: filled nodes leave such rows
    /// behind.
    void drop_unused();

  private:
    void read_kinds();

    using Known = TextMap<Id>;
    using EdgeKey = std::pair<std::uint8_t, std::optional<std::string>>;

    SQLite::Database& database_;
    using Attribute = std::optional<std::string>;

    Select<Id> select_recipe_;
    Select<Attribute, Attribute, Attribute, Attribute, bool, Attribute, Attribute>
        select_recipe_of_;
    Write insert_recipe_;
    Select<Id> select_target_;
    Write insert_target_, insert_kind_;
    Known recipes_, targets_;
    std::unordered_map<Id, Recipe> recipes_by_id_;
    std::map<EdgeKey, Id> kind_ids_;
    std::map<Id, EdgeKind> kinds_;
};

/// One row of the table dependency, without the spec that depends.
struct DependencyRow {
    std::int64_t dependency_id = 0;
    std::int64_t edge_kind_id = 0;

    auto operator<=>(const DependencyRow&) const = default;
};

/// The text, if there is one.
inline std::optional<std::string> text_of_shared(const Shared<Text>* text) {
    return text == nullptr ? std::nullopt : std::optional(text->text);
}

/// A node as its rows have it: the tables node and dependency.
struct NodeRow {
    /// The row of the node, without dependencies yet.
    NodeRow(const Node& node, std::int64_t recipe, std::optional<std::int64_t> target);

    std::int64_t recipe_id = 0;
    std::int64_t form = 0;
    CompilerFrom compiler_from = CompilerFrom::nothing;
    HashState hash_state = HashState::unknowable;
    std::optional<std::int64_t> target_definition_id;
    std::optional<std::string> build_hash;
    std::optional<std::string> provided_virtuals;
    TextDigest digest{};
    bool read_again = false;
    std::vector<DependencyRow> dependencies;  ///< sorted, each once

    bool operator==(const NodeRow&) const = default;
};

/// The words that the table node has for these.
std::string word_of(CompilerFrom from);
std::string word_of(HashState state);

/// Whether `other` has a dependency on a spec that `row` needs in no way.
bool lacks_a_child(const NodeRow& row, const NodeRow& other);

/// Whether a file says of a node what the ledger has. The text of one of form 1 or 2 does not say
/// which specs it needs.
bool says_the_same(const Spelled& known, const Spelled& given);

/// Nodes of the ledger as spellings, which merge with those of files by the same rule. The children
/// of their edges are spec_ids. Their looks are not read: a page may have given them.
class StoredNodes {
  public:
    StoredNodes(SQLite::Database& database, SpecRows& specs, NodeWords& words);

    /// It must be there. What it refers to is good until clear().
    Spelled read(std::int64_t spec_id);

    /// The rows of a spelling. Writes words that are new.
    NodeRow row_of(const Spelled& spelled);

    /// What messages call a child. Its spec must be written.
    ChildName name_of(std::int64_t spec_id);

    /// Owns the recipes of merged nodes, until clear().
    Recipes& recipes() { return recipes_; }
    void clear();

  private:
    SpecRows& specs_;
    NodeWords& words_;
    SharedValues values_;
    Recipes recipes_;
    using Optional = std::optional<std::string>;

    Select<std::int64_t, std::uint8_t, std::string, std::string, Optional, Optional, Optional,
           TextDigest, bool>
        select_node_;
    Select<std::uint32_t, std::int64_t> select_dependencies_;
    Select<DagHash, std::int64_t> select_spec_;
    Select<std::string> select_package_;
};

/// Writes the parents of targets that the program does not know (table target_parent), in the
/// caller's transaction. What the ledger has of them stays. Returns whether it has more than
/// before.
bool write_target_parents(SQLite::Database& database,
                          const std::map<std::string, std::set<std::string>>& parents);

}  // namespace cacheledger
