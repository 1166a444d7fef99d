#include <random>

#include "reports/questions/wanted/wanted_graph.hpp"
#include "tests/support/catch.hpp"

namespace closure_property_test {

using namespace cacheledger;

namespace {

/// Who reaches whom over these edges, each also itself.
std::vector<std::vector<bool>> reach_of(const WantedGraph& graph, Needs needs) {
    const std::size_t size = graph.nodes.size();
    std::vector<std::vector<bool>> reach(size, std::vector<bool>(size));
    for (std::size_t i = 0; i < size; ++i) {
        reach[i][i] = true;
        for (const WantedEdge& edge : graph.nodes[i].needs) {
            reach[i][edge.child] = reach[i][edge.child] || needs == Needs::all || edge.is_runtime;
        }
    }
    for (std::size_t over = 0; over < size; ++over) {
        for (std::size_t from = 0; from < size; ++from) {
            for (std::size_t to = 0; reach[from][over] && to < size; ++to) {
                reach[from][to] = reach[from][to] || reach[over][to];
            }
        }
    }
    return reach;
}

/// The same as close_over(), from the words of its definition.
WantedClosure expected_closure(const WantedGraph& graph, const std::vector<bool>& is_there,
                               Needs needs) {
    const std::size_t size = graph.nodes.size();
    const auto reach = reach_of(graph, needs);
    WantedClosure closure;
    closure.wanted.resize(size);
    closure.missing.resize(size);
    closure.frontier.resize(size);
    closure.dependents.resize(size);
    for (std::size_t i = 0; i < size; ++i) {
        bool is_reached = false;
        for (const auto& [root, text, group] : graph.roots) {
            is_reached = is_reached || reach[root][i];
        }
        closure.wanted[i] = is_reached && !graph.nodes[i].is_external();
        closure.missing[i] = closure.wanted[i] && !is_there[i];
        closure.num_external += is_reached && graph.nodes[i].is_external() ? 1 : 0;
    }
    for (std::size_t i = 0; i < size; ++i) {
        closure.frontier[i] = closure.missing[i];
        for (std::size_t other = 0; other < size; ++other) {
            if (other != i && closure.missing[i]) {
                closure.dependents[i] += closure.wanted[other] && reach[other][i] ? 1 : 0;
                closure.frontier[i] =
                    closure.frontier[i] && !(closure.missing[other] && reach[i][other]);
            }
        }
    }
    return closure;
}

}  // namespace

TEST_CASE("A closure has what its definition says, in graphs with circles, too") {
    const unsigned seed = std::random_device()();
    INFO("seed " << seed);
    std::mt19937 random(seed);
    const auto below = [&](std::size_t most) {
        return std::uniform_int_distribution<std::size_t>(0, most - 1)(random);
    };
    std::int64_t missing = 0;
    for (int round = 0; round < 60; ++round) {
        // More missing nodes than are counted at a time, too.
        const std::size_t size = round % 10 == 9 ? 200 : 1 + below(20);
        const bool has_circles = round % 3 == 2;
        WantedGraph graph;
        graph.nodes.resize(size);
        std::vector<bool> is_there(size);
        for (std::size_t i = 0; i < size; ++i) {
            graph.nodes[i].spec.external = below(6) == 0 ? "/usr" : "no";
            is_there[i] = below(3) == 0;
            for (std::size_t edges = below(4); edges > 0 && i > 0; --edges) {
                const auto child = static_cast<std::uint32_t>(below(has_circles ? size : i));
                graph.nodes[i].needs.push_back({child, below(2) == 0});
            }
        }
        for (std::size_t roots = below(4); roots > 0; --roots) {
            graph.roots.push_back({static_cast<std::uint32_t>(below(size))});
        }
        for (const Needs needs : {Needs::runtime, Needs::all}) {
            const WantedClosure found = close_over(graph, is_there, needs);
            const WantedClosure expected = expected_closure(graph, is_there, needs);
            CHECK(found.wanted == expected.wanted);
            CHECK(found.missing == expected.missing);
            CHECK(found.frontier == expected.frontier);
            CHECK(found.dependents == expected.dependents);
            CHECK(found.num_external == expected.num_external);
            missing += found.num_missing();
        }
    }
    CHECK(missing > 100);
}

}  // namespace closure_property_test
