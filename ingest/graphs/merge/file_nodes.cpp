#include "ingest/graphs/merge/file_nodes.hpp"

#include <algorithm>

namespace cacheledger {

namespace {

// The records that the one at `index` depends on, by package.
std::vector<std::uint32_t> children_of(const FileNodes& nodes, std::uint32_t index) {
    std::vector<std::uint32_t> children;
    const FileRecord& record = nodes.records[index];
    if (!record.is_read()) {
        return children;
    }
    const ReadNode& read = nodes.nodes[record.node];
    std::vector<ReadEdge> edges(
        nodes.edges.begin() + nodes.first_edges[record.node],
        nodes.edges.begin() + nodes.first_edges[record.node] + read.node.num_edges);
    std::stable_sort(edges.begin(), edges.end(), [](const ReadEdge& a, const ReadEdge& b) {
        return a.package->text < b.package->text;
    });
    for (const ReadEdge& edge : edges) {
        if (const auto* const found = nodes.by_key.find(edge.child)) {
            children.push_back(*found);
        }
    }
    return children;
}

// All records in the order in which Spack comes across them: depth first from each root, then the
// rest.
std::vector<std::uint32_t> in_order_of_roots(const FileNodes& nodes) {
    std::vector<std::uint32_t> order;
    std::vector<bool> is_reached(nodes.records.size());
    std::vector<std::uint32_t> stack;
    const auto reach = [&](std::uint32_t start) {
        stack.push_back(start);
        while (!stack.empty()) {
            const std::uint32_t index = stack.back();
            stack.pop_back();
            if (is_reached[index]) {
                continue;
            }
            is_reached[index] = true;
            order.push_back(index);
            const auto children = children_of(nodes, index);
            stack.insert(stack.end(), children.rbegin(), children.rend());
        }
    };
    for (const FileRoot& root : nodes.roots) {
        if (const auto* const found = nodes.by_key.find(root.key)) {
            reach(*found);
        }
    }
    for (std::uint32_t index = 0; index < nodes.records.size(); ++index) {
        reach(index);
    }
    return order;
}

}  // namespace

std::vector<bool> find_first_of_hash(const FileNodes& nodes) {
    std::vector<bool> is_first(nodes.records.size(), true);
    const bool keys_are_hashes =
        std::all_of(nodes.records.begin(), nodes.records.end(),
                    [](const FileRecord& record) { return record.key == record.hash; });
    if (keys_are_hashes) {
        return is_first;
    }
    HashTable<std::uint32_t> first;
    for (const std::uint32_t index : in_order_of_roots(nodes)) {
        is_first[index] = first.emplace(nodes.records[index].hash, index).second;
    }
    return is_first;
}

}  // namespace cacheledger
