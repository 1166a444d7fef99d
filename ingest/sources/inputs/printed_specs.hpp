#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/graphs/graph/graph.hpp"

namespace cacheledger {

/// The specs that Spack printed as JSON.
struct PrintedSpecs {
    Graph graph;
    std::vector<std::uint32_t> roots;   ///< of each spec itself; all of a list. Indexes into graph
    std::vector<PageFinding> findings;  ///< what is odd about it
    std::size_t more_findings = 0;
    bool is_list = false;  ///< what no node describes is not wanted: it was not printed
};

/// Reads what `spack spec --json` prints, {"spec": {"nodes": [...]}} for each spec, whose root
/// comes first, and what `spack find --json` prints, a list of nodes. There may be several, one
/// behind the other, and between them lines that lists leave out, too: prompts and messages. `name`
/// is how messages call the text. Throws InputError.
PrintedSpecs read_printed_specs(std::string_view text, const std::string& name);

}  // namespace cacheledger
