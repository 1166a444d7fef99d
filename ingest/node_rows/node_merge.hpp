#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ingest/graph/graph.hpp"
#include "ingest/looks/conflicts.hpp"
#include "ingest/node_rows/node_words.hpp"

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

/// Reads nodes of the ledger, and puts together what it has of a node with what a source says.
class NodeMerge {
  public:
    NodeMerge(SQLite::Database& database, NodeWords& words);

    NodeRow read(std::int64_t spec_id);

    /// Which of two spellings of one node is kept where they contradict each other: the one from
    /// which the hash can be computed, else the one with the smaller digest. So it makes no
    /// difference which of them came first.
    Kept kept(std::int64_t known_spec_id, const Node& given);

    /// What is known of a node and a second spelling of it, together: the values of the one that is
    /// kept, and where it has none those of the other. Adds contradictions to `conflicts`.
    NodeRow merge(const DagHash& hash, const NodeRow& known, const NodeRow& given,
                  Conflicts& conflicts);

  private:
    std::optional<std::vector<DependencyRow>> merge_dependencies(const NodeRow& known,
                                                                 const NodeRow& given);
    std::vector<std::pair<std::string, std::uint8_t>> readable(
        const std::vector<DependencyRow>& dependencies);
    std::string text_of_dependencies(const std::vector<DependencyRow>& dependencies);

    NodeWords& words_;
    SQLite::Statement select_node_, select_dependencies_, select_spec_;
};

}  // namespace cacheledger
