#include <fmt/format.h>

#include "ingest/bytes/streams/bytes.hpp"
#include "ingest/graphs/files/graph_reader.hpp"
#include "schema/errors/error.hpp"
#include "tests/fuzz/targets.hpp"

namespace cacheledger::fuzz {

namespace {

// All of it as one text, after a look at every reference.
std::string graph_text(const Graph& graph) {
    std::string text;
    for (const Node& node : graph.nodes) {
        require(node.package != nullptr && !node.package->text.empty(), "a node has a package");
        require(is_dag_hash(text_of(node.hash)), "a node has a hash");
        text += fmt::format("{} {}", text_of(node.hash), node.package->text);
        if (!node.is_described()) {
            require(node.num_edges == 0, "a node that is only named has no edges");
            continue;
        }
        require(node.version != nullptr && node.arch != nullptr && node.variants != nullptr,
                "a node is whole");
        require(node.form >= 1 && node.form <= 6, "forms are known");
        text += fmt::format(" {} {} {} {}", node.version->text, node.arch->target,
                            node.variants->text, node.recipe->text);
        require(node.first_edge + node.num_edges <= graph.edges.size(), "edges are there");
        for (std::uint32_t i = node.first_edge; i < node.first_edge + node.num_edges; ++i) {
            const Edge& edge = graph.edges[i];
            require(edge.child < graph.nodes.size(), "children are there");
            text += fmt::format(" {} {}", text_of(graph.nodes[edge.child].hash), edge.types);
        }
    }
    return text;
}

void read(GraphReader& reader, std::string_view text) {
    TextBytes bytes(text);
    const GraphFile file = reader.read("it", bytes);
    require(file.present.size() <= file.records, "only what there is is present");
}

}  // namespace

void graph(std::string_view text) {
    GraphReader once, twice;
    try {
        read(once, text);
    } catch (const InputError& error) {
        require(!error.problems().empty(), "a problem is said");
        return;
    }
    read(twice, text);
    read(twice, text);
    require(graph_text(once.finish()) == graph_text(twice.finish()), "a file again adds nothing");
}

}  // namespace cacheledger::fuzz
