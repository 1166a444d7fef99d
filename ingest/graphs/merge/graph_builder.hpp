#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ingest/graphs/graph/known_nodes.hpp"
#include "ingest/graphs/graph/recipes.hpp"
#include "ingest/graphs/merge/file_nodes.hpp"
#include "ingest/graphs/nodes/node_reader.hpp"
#include "ingest/pages/page/shared_values.hpp"
#include "schema/text/keyed_hash.hpp"

namespace cacheledger {

/// What the nodes of a graph refer to.
struct GraphValues {
    SharedValues shared;
    Recipes recipes;
};

/// Adds a finding of a file, or counts it where there are most_findings.
void add_finding(GraphFile& file, PageFinding finding);

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
