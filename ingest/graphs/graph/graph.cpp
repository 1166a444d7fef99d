#include "ingest/graphs/graph/graph.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

// A value that is not said is not an empty one. No text ends in another's beginning, as each says
// how long it is.
std::string recipe_text(const Recipe& recipe) {
    std::string text = recipe.external ? "external" : "";
    for (const auto* const value :
         {&recipe.name_space, &recipe.package_hash, &recipe.flags, &recipe.patches,
          &recipe.external_path, &recipe.external_modules}) {
        text += '\n';
        if (*value) {
            text += std::to_string((*value)->size()) + ':' + **value;
        }
    }
    return text;
}

}  // namespace

const Shared<Recipe>* Recipes::operator()(Recipe recipe) {
    recipe.text = recipe_text(recipe);
    auto& known = known_[recipe.text];
    if (known == nullptr) {
        known = std::make_unique<const Shared<Recipe>>(
            Shared<Recipe>{std::move(recipe), known_.size() - 1});
    }
    return known.get();
}

void reach(const Graph& graph, const std::vector<std::uint32_t>& nodes,
           std::vector<bool>& reached) {
    std::vector<std::uint32_t> waiting = nodes;
    while (!waiting.empty()) {
        const std::uint32_t index = waiting.back();
        waiting.pop_back();
        if (reached[index]) {
            continue;
        }
        reached[index] = true;
        const Node& node = graph.nodes[index];
        for (std::uint32_t i = 0; i < node.num_edges; ++i) {
            waiting.push_back(graph.edges[node.first_edge + i].child);
        }
    }
}

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
