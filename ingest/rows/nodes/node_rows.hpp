#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ingest/graphs/graph/graph.hpp"
#include "ingest/graphs/graph/hash_table.hpp"
#include "ingest/pages/page/page.hpp"
#include "ingest/rows/specs/spec_rows.hpp"
#include "ingest/rows/words/dictionary.hpp"
#include "schema/specs/spelling/dag_hash.hpp"
#include "schema/sqlite/statements/batch_insert.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "schema/text/keyed_hash.hpp"

namespace cacheledger {

/// How one spec depends on another, as the table edge_kind has it: bits of DepType, and the
/// virtuals; nothing: not said.
using EdgeKind = std::pair<std::uint8_t, std::optional<std::string>>;

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
    using Attribute = std::optional<std::string>;

    SQLite::Database& database_;
    Select<Id> select_recipe_;
    Select<Attribute, Attribute, Attribute, Attribute, bool, Attribute, Attribute>
        select_recipe_of_;
    Write insert_recipe_;
    Select<Id> select_target_;
    Write insert_target_, insert_kind_;
    Known recipes_, targets_;
    std::unordered_map<Id, Recipe> recipes_by_id_;
    std::map<EdgeKind, Id> kind_ids_;
    std::map<Id, EdgeKind> kinds_;
};

/// A node as its rows have it, without its spec.
struct NodeRow {
    /// Of the table node: recipe, form, the words for compiler_from and hash_state, target
    /// definition, build hash, provided virtuals, digest, whether its text is read again.
    std::tuple<std::int64_t, std::int64_t, std::string, std::string, std::optional<std::int64_t>,
               std::optional<std::string>, std::optional<std::string>, TextDigest, int>
        columns;
    /// Of the table dependency: the spec that it needs, and the edge_kind. Sorted, each once.
    std::vector<std::pair<std::int64_t, std::int64_t>> dependencies;

    bool operator==(const NodeRow&) const = default;
};

/// The row of a node, without dependencies yet.
NodeRow row_of_node(const Node& node, std::int64_t recipe_id,
                    std::optional<std::int64_t> target_definition_id);

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
    void insert_dependencies(Id spec_id, const NodeRow& row);
    void merge_known(Pass& pass);
    bool merge_known(const NewNode& known, Pass& pass);
    void update(Id spec_id, const NodeRow& known, const NodeRow& both);
    static std::vector<Edge> edges_of(const Node& node, const Pass& pass);
    // Whether a pass before wrote its node.
    bool is_described(Id spec_id) const {
        return spec_id <= last_node_ && select_node_(spec_id).first().has_value();
    }

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

/// The nodes of the ledger, as far as reading them again would give nothing new. A record with the
/// hash and the text of one of them is not read: its node is only named. Nodes of forms 1 and 2 are
/// left out: their text does not say all of them.
class LedgerNodes : public KnownNodes {
  public:
    /// `specs` must outlive this.
    LedgerNodes(SQLite::Database& database, SpecRows& specs);

    /// Prepares for a state of the series: nearly all of it is in the newest one that there is,
    /// which is read at once, with its specs. The rest is looked up one by one.
    void expect(const std::string& series);

    std::uint32_t find(const DagHash& hash, const TextDigest& digest) const override {
        const KnownText* const found = texts_.find(hash);
        return found != nullptr && found->digest == digest ? found->package_id : 0;
    }
    std::uint32_t look_up(const DagHash& hash, const TextDigest& digest) const override;
    std::string package(std::uint32_t package_id) const override;
    std::string version_of(const DagHash& hash) const override;

    /// The compiler of a node that the ledger has, as name@version.
    std::optional<std::string> compiler_of(const DagHash& hash) const override;

    /// Adds nodes that were written since. `specs`: of all nodes of the graph.
    void add(const Graph& graph, const std::vector<std::uint32_t>& nodes,
             const std::vector<KnownSpec>& specs);

  private:
    struct KnownText {
        TextDigest digest{};
        std::uint32_t package_id = 0;
    };

    SQLite::Database& database_;
    SpecRows& specs_;
    Select<std::int64_t, TextDigest, bool> select_texts_;
    Select<std::string> select_package_;
    std::set<std::int64_t> looks_to_place_;
    std::set<std::string> series_;  // that were read
    HashTable<KnownText> texts_;
};

/// A "dependency-missing": how many dependencies of the nodes that the files describe are described
/// by none of them, whether the ledger has them or not. nullopt if all are. Call this after the
/// nodes were written: the ledger has the dependencies of those that were not read. `specs`: by
/// index into Graph::nodes; 0 for nodes that were left out. `files`: how many files the graph is
/// from.
std::optional<PageFinding> missing_dependencies(SQLite::Database& database, const Graph& graph,
                                                const std::vector<KnownSpec>& specs,
                                                std::size_t files);

}  // namespace cacheledger
