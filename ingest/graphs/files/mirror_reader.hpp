#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "ingest/graphs/files/graph_reader.hpp"
#include "ingest/graphs/graph/graph.hpp"

namespace cacheledger {

/// Reads the spec files of a mirror without an index, and makes of them what the index would say:
/// the first spec of each file is in the cache, and the others are what it needs.
class MirrorReader {
  public:
    /// `reader` gets the nodes, and must outlive this.
    explicit MirrorReader(GraphReader& reader) : reader_(reader) {}

    /// Reads one spec file. `named`: the hash in its name. Throws Problem where it is none, broken,
    /// or of another spec; the graph is then as it was.
    void read(std::string_view json, std::uint64_t size, const std::optional<DagHash>& named);

    /// How many bytes the files have.
    std::uint64_t size() const { return size_; }

    /// What all files say. This is of no use afterwards.
    GraphFile finish();

  private:
    GraphReader& reader_;
    GraphFile mirror_;
    std::map<std::string, std::size_t> unknown_;
    std::uint64_t size_ = 0;
};

}  // namespace cacheledger
