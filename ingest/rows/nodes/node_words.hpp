#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "ingest/graphs/graph/graph.hpp"
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

}  // namespace cacheledger
