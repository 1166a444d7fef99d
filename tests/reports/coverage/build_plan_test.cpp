#include "reports/questions/wanted/wanted_graph.hpp"

#include <fmt/format.h>

#include <random>

#include "tests/support/catch.hpp"

namespace build_plan_test {

using namespace cacheledger;
using Lines = std::vector<std::string>;

namespace {

constexpr WantedEdge link_to(std::uint32_t child) {
    return {child, true, false};
}
constexpr WantedEdge build_with(std::uint32_t child) {
    return {child, false, true};
}
constexpr WantedEdge test_with(std::uint32_t child) {
    return {child, false, false};
}

WantedGraph graph_of(const std::vector<std::pair<std::string, std::vector<WantedEdge>>>& nodes) {
    WantedGraph graph;
    for (const auto& [name, needs] : nodes) {
        WantedNode& node = graph.nodes.emplace_back();
        node.spec.package = name;
        node.spec.hash = name;
        node.spec.external = name.starts_with("ext") ? "/usr" : "no";
        node.needs = needs;
    }
    return graph;
}

/// "1 zlib": wave and package.
Lines waves(const WantedGraph& graph, const std::vector<std::string>& there) {
    std::vector<bool> is_there;
    for (const WantedNode& node : graph.nodes) {
        is_there.push_back(std::ranges::count(there, node.spec.package) > 0);
    }
    Lines lines;
    for (const auto& [node, wave] : plan_builds(graph, is_there).steps) {
        lines.push_back(fmt::format("{} {}", wave, graph.nodes[node].spec.package));
    }
    return lines;
}

}  // namespace

TEST_CASE(
    "What is missing is built after what it is built with, and what is there needs no tools") {
    WantedGraph graph = graph_of({{"app", {link_to(1), build_with(2)}},
                                  {"curl", {link_to(3), build_with(2), test_with(4)}},
                                  {"cmake", {build_with(5)}},
                                  {"zlib", {}},
                                  {"check", {}},
                                  {"ext-gcc", {link_to(6)}},
                                  {"glibc", {}}});
    graph.roots = {{0}};
    CHECK(waves(graph, {}) == Lines{"1 cmake", "1 zlib", "2 curl", "3 app"});
    CHECK(waves(graph, {"app", "curl", "zlib"}).empty());
    CHECK(waves(graph, {"curl", "zlib"}) == Lines{"1 cmake", "2 app"});
    CHECK(waves(graph, {"app"}) == Lines{"1 cmake", "1 zlib", "2 curl"});
    // app can be built with curl only when zlib, which curl links, is there.
    CHECK(waves(graph, {"curl", "cmake"}) == Lines{"1 zlib", "2 app"});
    graph.roots = {{5}};
    CHECK(waves(graph, {}).empty());
}

TEST_CASE("The longest chain is that of builds which wait for each other, through what is there") {
    // zlib 5, cmake 30, curl 10; app needs all; doc (40) nothing.
    WantedGraph graph = graph_of({{"app", {link_to(1), build_with(2), build_with(4)}},
                                  {"curl", {link_to(3)}},
                                  {"cmake", {link_to(3)}},
                                  {"zlib", {}},
                                  {"doc", {}},
                                  {"ext-gcc", {link_to(4)}}});
    graph.roots = {{0}};
    const auto chain = [&](const std::vector<std::string>& there,
                           const std::vector<std::int64_t>& milliseconds) {
        std::vector<bool> is_there;
        for (const WantedNode& node : graph.nodes) {
            is_there.push_back(std::ranges::count(there, node.spec.package) > 0);
        }
        const BuildChain found = longest_chain(graph, is_there, milliseconds);
        std::string text = fmt::format("{}:", found.milliseconds);
        for (const std::uint32_t node : found.nodes) {
            text += " " + graph.nodes[node].spec.package;
        }
        return text;
    };
    CHECK(chain({}, {1, 10, 30, 5, 40, 99}) == "41: doc app");
    CHECK(chain({}, {1, 10, 30, 15, 40, 99}) == "46: zlib cmake app");
    CHECK(chain({}, {0, 10, 30, 15, 40, 99}) == "45: zlib cmake");  // how long app takes is unknown
    CHECK(chain({"cmake"}, {1, 10, 30, 15, 5, 99}) == "26: zlib curl app");
    CHECK(chain({"curl"}, {1, 10, 3, 15, 5, 99}) == "19: zlib cmake app");
    CHECK(chain({"curl", "cmake", "doc"}, {1, 10, 30, 15, 40, 99}) == "16: zlib app");
    CHECK(chain({"app", "curl", "zlib"}, {1, 10, 30, 15, 40, 99}) == "0:");
    CHECK(chain({}, {0, 0, 0, 0, 0, 0}) == "0:");
}

TEST_CASE("A plan has what its definition says") {
    const unsigned seed = std::random_device()();
    INFO("seed " << seed);
    std::mt19937 random(seed);
    const auto below = [&](std::size_t most) {
        return std::uniform_int_distribution<std::size_t>(0, most - 1)(random);
    };
    std::size_t steps = 0;
    for (int round = 0; round < 60; ++round) {
        const std::size_t size = 1 + below(25);
        WantedGraph graph;
        graph.nodes.resize(size);
        std::vector<bool> is_there(size);
        for (std::size_t i = 0; i < size; ++i) {
            graph.nodes[i].spec.hash = fmt::format("{:02}", i);
            graph.nodes[i].spec.external = below(6) == 0 ? "/usr" : "no";
            is_there[i] = below(2) == 0;
            for (std::size_t edges = below(4); edges > 0 && i > 0; --edges) {
                const auto child = static_cast<std::uint32_t>(below(i));
                graph.nodes[i].needs.push_back({child, below(2) == 0, below(2) == 0});
            }
        }
        graph.roots = {{static_cast<std::uint32_t>(below(size))},
                       {static_cast<std::uint32_t>(size - 1)}};
        // From the roots down; each node stands behind what it needs.
        std::vector<bool> is_met(size);
        std::vector<std::uint32_t> expected(size), ready(size);
        for (const auto& [root, text, group] : graph.roots) {
            is_met[root] = true;
        }
        const auto leads = [&](std::size_t node, const WantedEdge& edge) {
            return !graph.nodes[node].is_external() &&
                   (edge.is_runtime || (edge.is_build && !is_there[node]));
        };
        for (std::size_t i = size; i-- > 0;) {
            for (const WantedEdge& edge : graph.nodes[i].needs) {
                is_met[edge.child] = is_met[edge.child] || (is_met[i] && leads(i, edge));
            }
        }
        for (std::size_t i = 0; i < size; ++i) {
            for (const WantedEdge& edge : graph.nodes[i].needs) {
                ready[i] = leads(i, edge) ? std::max(ready[i], ready[edge.child]) : ready[i];
            }
            if (!is_there[i] && !graph.nodes[i].is_external()) {
                expected[i] = is_met[i] ? ready[i] + 1 : 0;
                ++ready[i];
            }
        }
        std::vector<std::uint32_t> found(size);
        std::uint32_t last = 0;
        for (const auto& [node, wave] : plan_builds(graph, is_there).steps) {
            CHECK(last <= wave);
            last = wave;
            found[node] = wave;
            ++steps;
        }
        CHECK(found == expected);
    }
    CHECK(steps > 50);
}

TEST_CASE("Graphs are merged by hash, and have the dependencies of both") {
    WantedGraph one = graph_of({{"app", {link_to(1)}}, {"zlib", {}}});
    one.roots = {{0}};
    WantedGraph two = graph_of({{"zlib", {}}, {"cmake", {}}, {"app", {link_to(0), build_with(1)}}});
    two.roots = {{2}, {1}};
    const WantedGraph merged = merged_graph("both", {&one, &two});
    CHECK(merged.name == "both");
    CHECK(merged.nodes.size() == 3);
    CHECK(merged.roots.size() == 3);
    CHECK(merged.nodes[0].needs.size() == 2);
    CHECK(waves(merged, {}) == Lines{"1 cmake", "1 zlib", "2 app"});
}

}  // namespace build_plan_test
