#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ingest/graphs/graph/graph.hpp"
#include "ingest/graphs/graph/hash_table.hpp"
#include "ingest/graphs/nodes/node_reader.hpp"
#include "ingest/pages/page/page.hpp"
#include "schema/text/keyed_hash.hpp"

/// What one file says, before it becomes a part of a graph.
namespace cacheledger {

/// A node of a file under its key.
struct FileRecord {
    DagHash key{};
    DagHash hash{};
    Digest sha1{};                          ///< node_sha1() of its text
    std::optional<std::uint32_t> in_graph;  ///< in the graph with this very text
    std::uint32_t known_package = 0;        ///< else in the ledger: KnownNodes::find()
    std::uint32_t node = 0;                 ///< else index into FileNodes::nodes
    bool in_buildcache = false, installed = false;

    bool is_read() const { return !in_graph && known_package == 0; }
};

/// A root of a lock file.
struct FileRoot {
    DagHash key{};
    std::string text;
    std::optional<std::string> group{};  ///< nullopt where the file names none
};

/// The nodes that refer to each other by their keys: those of a file, or of one environment of a
/// lock file.
struct FileNodes : ReadNodes {
    std::string environment;
    std::vector<FileRecord> records;
    HashTable<std::uint32_t> by_key;  ///< index into records
    std::vector<FileRoot> roots;

    std::span<const ReadEdge> edges_of(const FileRecord& record) const {
        const Node& node = nodes[record.node];
        return std::span(edges).subspan(node.first_edge, node.num_edges);
    }

    /// Null where there is none.
    const FileRecord* find(const DagHash& key) const {
        const std::uint32_t* const found = by_key.find(key);
        return found != nullptr ? &records[*found] : nullptr;
    }
};

/// All that a file says.
struct FileContent {
    SourceKind kind = SourceKind::index;
    std::string version;
    std::deque<FileNodes> environments;
    UnknownKeys unknown;
};

/// Whether a record is the one that its hash stands for. In locks 2 and 3 several records may have
/// one hash; as in Spack, the first that is reached from the roots holds.
std::vector<bool> find_first_of_hash(const FileNodes& nodes);

/// What the nodes of a graph refer to.
struct GraphValues {
    SharedValues shared;
    Recipes recipes;
};

/// Adds a finding for each key that is not known.
void add_unknown_keys(GraphFile& file, const UnknownKeys& unknown);

/// Makes one graph of what several files say.
class GraphBuilder {
  public:
    /// `known` may be null; it must outlive this.
    explicit GraphBuilder(const KnownNodes* known)
        : known_(known), values_(std::make_shared<GraphValues>()) {}

    GraphValues& values() { return *values_; }
    const KnownNodes* known() const { return known_; }
    std::size_t size() const { return graph_.nodes.size(); }
    const Node& node(std::uint32_t index) const { return graph_.nodes[index]; }
    std::optional<std::uint32_t> find(const DagHash& hash) const {
        const std::uint32_t* const found = by_hash_.find(hash);
        return found != nullptr ? std::optional(*found) : std::nullopt;
    }

    /// The node with this hash, if it was read from a text with this digest. Nothing for forms 1
    /// and 2, where the text does not say all of a node.
    std::optional<std::uint32_t> find_text(const DagHash& hash, const TextDigest& digest) const;

    /// The hash of the node that a text with this digest said, if note_text() was told. Spec files
    /// give nodes without their hashes as keys, and each node in many files.
    std::optional<DagHash> hash_of_text(const TextDigest& digest) const {
        const auto found = hashes_of_texts_.find(digest);
        return found == hashes_of_texts_.end() ? std::nullopt : std::optional(found->second);
    }
    void note_text(const TextDigest& digest, const DagHash& hash) {
        hashes_of_texts_.emplace(digest, hash);
    }

    /// Adds what a file says. Throws Problem, and is then as it was.
    GraphFile add(const FileContent& content);

    /// The graph of all that was added, the compilers of its nodes found. Ends the work of this.
    Graph finish();

    /// The node with this hash. Where there is none yet, it is one that is only named.
    std::uint32_t slot(const DagHash& hash, const Shared<Text>* package);

    /// The node of a record that the ledger has.
    std::uint32_t known_slot(const FileRecord& record);

    /// Says what the node is and needs. Gives a text for each difference from what is known of it.
    std::vector<std::string> describe(std::uint32_t index, const Node& node,
                                      std::vector<Edge> edges);

  private:
    const Shared<Text>* version_of(Node& node);
    void find_compiler(Node& node);
    bool names_compiler(const Node& node) const;

    const KnownNodes* known_;
    std::shared_ptr<GraphValues> values_;
    Graph graph_;
    HashTable<std::uint32_t> by_hash_;
    std::vector<const Shared<Text>*> known_packages_;  // by id
    std::unordered_map<TextDigest, DagHash, KeyedHash> hashes_of_texts_;
    std::vector<std::uint8_t> in_file_;  // of each node: what AddFile says of it, while it works
    // By package and version. Nearly every node has one.
    std::map<std::pair<const Shared<Text>*, const Shared<Text>*>, const Shared<Compiler>*>
        compilers_;
};

}  // namespace cacheledger
