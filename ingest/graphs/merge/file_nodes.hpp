#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "ingest/graphs/graph/graph.hpp"
#include "ingest/graphs/graph/hash_table.hpp"
#include "ingest/graphs/nodes/node_reader.hpp"

/// What one file says, before it becomes a part of a graph.
namespace cacheledger {

/// A node of a file under its key.
struct FileRecord {
    DagHash key{};
    DagHash hash{};
    std::optional<std::uint32_t> in_graph;  ///< in the graph with this very text
    std::uint32_t known_package = 0;        ///< else in the ledger: KnownNodes::find()
    std::uint32_t node = 0;                 ///< else index into FileNodes::nodes
    TextDigest digest{};
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
struct FileNodes {
    std::string environment;
    std::vector<FileRecord> records;
    HashTable<std::uint32_t> by_key;  ///< index into records
    std::vector<ReadNode> nodes;
    std::vector<std::uint32_t> first_edges;  ///< of each node, index into edges
    std::vector<ReadEdge> edges;
    std::vector<FileRoot> roots;

    /// Null where there is none.
    const FileRecord* find(const DagHash& key) const {
        const std::uint32_t* const found = by_key.find(key);
        return found != nullptr ? &records[*found] : nullptr;
    }
};

/// All that a file says.
struct FileContent {
    GraphKind kind = GraphKind::index;
    std::string version;
    std::deque<FileNodes> environments;
    UnknownKeys unknown;
};

/// Whether a record is the one that its hash stands for. In locks 2 and 3 several records may have
/// one hash; as in Spack, the first that is reached from the roots holds.
std::vector<bool> find_first_of_hash(const FileNodes& nodes);

}  // namespace cacheledger
