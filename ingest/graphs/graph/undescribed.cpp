#include "ingest/graphs/graph/undescribed.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <set>
#include <utility>

#include "schema/text/counted.hpp"

namespace cacheledger {

Undescribed::Undescribed(const Graph& graph) {
    for (const Node& node : graph.nodes) {
        if (!node.is_described()) {
            continue;
        }
        std::set<std::uint32_t> missing;  // a child may have several edges
        for (std::uint32_t i = node.first_edge; i < node.first_edge + node.num_edges; ++i) {
            const std::uint32_t index = graph.edges[i].child;
            const Node& child = graph.nodes[index];
            if (!child.is_in_files() && missing.insert(index).second) {
                add(node, child.package->text, std::string(text_of(child.hash)));
            }
        }
    }
}

void Undescribed::add(const Node& node, const std::string& package, const std::string& hash) {
    std::string text =
        fmt::format("{} {} of {} {}", package, hash, node.package->text, text_of(node.hash));
    if (count_++ == 0 || text < first_) {
        first_ = std::move(text);
    }
}

std::optional<PageFinding> Undescribed::finding(std::size_t files) const {
    if (count_ == 0) {
        return std::nullopt;
    }
    return PageFinding{
        "dependency-missing", "",
        fmt::format("{} {}, the first: {}",
                    counted(static_cast<std::int64_t>(count_), "dependency is", "dependencies are"),
                    files == 1 ? "not in the file" : "in none of the files", first_)};
}

}  // namespace cacheledger
