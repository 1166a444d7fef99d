#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ingest/graphs/graph/graph.hpp"
#include "ingest/graphs/graph/recipes.hpp"
#include "ingest/graphs/merge/merge.hpp"
#include "ingest/pages/page/shared_values.hpp"
#include "ingest/rows/nodes/node_words.hpp"
#include "ingest/rows/specs/spec_rows.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

/// One row of the table dependency, without the spec that depends.
struct DependencyRow {
    std::int64_t dependency_id = 0;
    std::int64_t edge_kind_id = 0;

    auto operator<=>(const DependencyRow&) const = default;
};

/// A node as its rows have it: the tables node and dependency.
struct NodeRow {
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

}  // namespace cacheledger
