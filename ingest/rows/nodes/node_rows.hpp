#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ingest/graphs/graph/graph.hpp"
#include "ingest/rows/nodes/stored_nodes.hpp"
#include "ingest/rows/specs/conflicts.hpp"
#include "ingest/rows/words/dictionary.hpp"
#include "schema/sqlite/statements/batch_insert.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

/// Writes the nodes of graphs: a spec for each, with its look, recipe and dependencies, once per
/// hash and package. What is known already is filled where it lacks something. Where a node
/// contradicts a page, the node is kept; of two nodes see MergeRule. Writes in the caller's
/// transaction; after a rollback this object must not be used again.
class NodeRows {
  public:
    /// `dictionary` must outlive this.
    NodeRows(SQLite::Database& database, Dictionary& dictionary);

    struct Finding {
        std::optional<std::string> package;  ///< nullopt: it is about all files
        PageFinding finding;
    };

    struct Written {
        std::vector<KnownSpec> specs;          ///< by index into Graph::nodes; 0 if it was left out
        std::vector<std::uint32_t> new_nodes;  ///< that the ledger did not have described
        std::vector<Finding> findings;         ///< what contradicts the ledger
        bool changed_looks = false;            ///< of specs that the ledger had; see write()
        bool changed = false;                  ///< the ledger has more than before
        bool leaves_over = false;              ///< specs may be left that nothing needs
    };

    /// Writes the nodes of `present` and all that these need. Others are left out: nothing would
    /// tell when they can be forgotten. `source`: what findings call it, "the index". No history
    /// may hold rows of presence in memory: where a page gave no compiler and a node does, for one,
    /// the look of a spec changes in every snapshot.
    Written write(const Graph& graph, const std::vector<std::uint32_t>& present,
                  const std::string& source);

    /// The number of nodes whose dependencies were not known before.
    std::int64_t new_nodes() const { return new_nodes_; }

  private:
    using Id = std::int64_t;
    using Ids = std::vector<Id>;  // by the number of a shared value; 0 if the id is not known yet

    struct NewLook {
        DagHash hash{};
        KnownSpec spec;
        Id look_id = 0;
        bool had_look = false;
    };
    struct NewNode {
        Id spec_id = 0;
        std::uint32_t node = 0;  // index into Graph::nodes
    };

    // What one write() collects.
    struct Pass {
        const Graph& graph;
        const std::string& source;
        Written written;
        std::vector<NewNode> new_nodes;
        std::vector<NewNode> known_nodes;
        std::vector<NewLook> new_looks;
        std::map<Id, std::pair<std::string, Conflicts>> conflicts;  // by package
        Ids packages, recipes, features;
        std::map<std::pair<std::uint8_t, const void*>, Id> kinds;
    };

    std::vector<bool> wanted_nodes(const std::vector<std::uint32_t>& present, Pass& pass);
    void reach_through_ledger(Pass& pass, std::vector<bool>& wanted);
    Id package_of(const Node& node, Pass& pass);
    KnownSpec spec_of(std::uint32_t index, Pass& pass);
    void merge_look(const Node& node, const KnownSpec& spec, Pass& pass);
    Conflicts& conflicts_of(Id package_id, const Node& node, Pass& pass);
    NodeRow row_of(const Node& node, Pass& pass);
    void write_looks(Pass& pass);
    void write_new(Pass& pass);
    void write_node(Id spec_id, const NodeRow& row);
    void merge_known(Pass& pass);
    bool merge_known(const NewNode& known, Pass& pass);
    void update(Id spec_id, const NodeRow& known, const NodeRow& both);
    static std::vector<Edge> edges_of(const Node& node, const Pass& pass);
    static void add_findings(Pass& pass);
    bool is_described(Id spec_id) const;

    SQLite::Database& database_;
    Dictionary& dictionary_;
    NodeWords words_;
    StoredNodes stored_;
    Select<bool> select_node_;
    Write update_node_, delete_dependencies_, delete_missing_;
    BatchInsert<Id, Id, Id, std::string, std::string, std::optional<Id>, std::optional<std::string>,
                std::optional<std::string>, TextDigest, int>
        insert_node_;
    BatchInsert<Id, Id, Id> insert_dependency_;
    Id last_node_ = 0;  // the highest spec_id of a node
    std::int64_t new_nodes_ = 0;
};

}  // namespace cacheledger
