#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/bytes/streams/bytes.hpp"
#include "ingest/graphs/graph/graph.hpp"
#include "ingest/graphs/merge/graph_builder.hpp"
#include "ingest/graphs/nodes/node_reader.hpp"

namespace cacheledger {

/// The versions of the database that are read, beside 0.9, which are those of an index.
inline constexpr int oldest_index_version = 5, newest_index_version = 9;

/// Reads indexes of build caches (the versions above), install databases, lock files
/// (1 to 8) and the spec files of one spec, and makes one graph of all (docs/formats.md, "Nodes").
/// A node is in the graph once, whatever the number of files and spellings; a text that comes again
/// is not parsed again. What is kept follows from the number of nodes, not from the size of the
/// files. Not for use by several threads at once.
class GraphReader {
  public:
    /// `known`: what the ledger has; it may be null, and must outlive this.
    explicit GraphReader(const KnownNodes* known = nullptr) : builder_(known) {}

    /// Reads one file, which is JSON, maybe as gzip. `name` is how messages call it. Throws
    /// InputError where it is none of these, or broken; the graph is then as it was. What it says
    /// otherwise than files before becomes a finding, and what these said stays.
    GraphFile read(const std::string& name, Bytes& bytes);

    /// Reads the spec file of one binary, of which a mirror has many. Keys that are not known are
    /// counted in `unknown`, and are no findings. The first of `present` is the binary. `named`:
    /// its hash, if the name of the file says it. Throws Problem likewise, and where it is a file
    /// of another kind or of another binary.
    GraphFile read_spec(std::string_view json, std::map<std::string, std::size_t>& unknown,
                        const std::optional<DagHash>& named = std::nullopt);

    /// The graph of all files. This is of no use afterwards.
    Graph finish() { return builder_.finish(); }

  private:
    GraphBuilder builder_;
    NodeReader nodes_{builder_.values().shared, builder_.values().recipes};
};

/// The specs that Spack printed as JSON.
struct PrintedSpecs {
    Graph graph;
    std::vector<std::uint32_t> roots;  ///< of each spec itself; all of a list. Indexes into graph
    Findings findings;                 ///< what is odd about it
    bool is_list = false;              ///< what no node describes is not wanted: it was not printed
};

/// Reads what `spack spec --json` prints, {"spec": {"nodes": [...]}} for each spec, whose root
/// comes first, and what `spack find --json` prints, a list of nodes. There may be several, one
/// behind the other, and between them lines that lists leave out, too: prompts and messages. `name`
/// is how messages call the text. Throws InputError.
PrintedSpecs read_printed_specs(std::string_view text, const std::string& name);

}  // namespace cacheledger
