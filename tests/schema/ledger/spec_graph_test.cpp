#include "schema/ledger/graph/spec_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <set>
#include <tuple>

#include "schema/ledger/graph/needed_by.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_ledger.hpp"

namespace spec_graph_test {

using namespace cacheledger;

namespace {

using Row = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // spec, dependency, kind

/// Specs with random edges among them, circles too.
std::set<Row> add_random_specs(GraphLedger& ledger, std::mt19937& random, std::uint32_t specs) {
    const auto below = [&](std::uint32_t most) {
        return std::uniform_int_distribution<std::uint32_t>(0, most - 1)(random);
    };
    for (std::uint32_t i = 0; i < specs; ++i) {
        GraphNode node{fmt::format("n{}", i), "lib"};
        node.form = 1 + static_cast<int>(below(6));
        node.is_described = below(6) > 0;
        ledger.add(node);
    }
    ledger.database().exec(
        "INSERT INTO edge_kind (edge_kind_id, deptypes, virtuals) "
        "VALUES (1, 'build', ''), (2, 'link', ''), (3, 'run', 'mpi'), (4, 'test', '')");
    std::set<Row> rows;
    for (std::uint32_t i = 0; i < 2 * specs; ++i) {
        const Row row(1 + below(specs), 1 + below(specs), 1 + below(4));
        if (rows.insert(row).second) {
            ledger.database().exec(fmt::format("INSERT INTO dependency VALUES ({}, {}, {})",
                                               std::get<0>(row), std::get<1>(row),
                                               std::get<2>(row)));
        }
    }
    return rows;
}

std::set<Row> rows_of(const SpecGraph& graph) {
    std::set<Row> rows;
    for (std::uint32_t spec = 0; spec < graph.size(); ++spec) {
        for (const SpecGraph::Edge& edge : graph.dependencies(spec)) {
            rows.emplace(spec, edge.spec, edge.kind);
        }
    }
    return rows;
}

std::set<Row> rows_of_dependents(const SpecGraph& graph) {
    std::set<Row> rows;
    for (std::uint32_t spec = 0; spec < graph.size(); ++spec) {
        for (const SpecGraph::Edge& edge : graph.dependents(spec)) {
            rows.emplace(edge.spec, spec, edge.kind);
        }
    }
    return rows;
}

/// What is reached from the specs over these rows, with themselves: grown until nothing is new.
SpecSet naive_reach(SpecSet reached, const std::set<Row>& rows, bool is_up) {
    for (bool has_grown = true; has_grown;) {
        has_grown = false;
        for (const auto& [spec, dependency, kind] : rows) {
            const auto [from, to] =
                is_up ? std::pair(dependency, spec) : std::pair(spec, dependency);
            has_grown = has_grown || (reached[from] && !reached[to]);
            reached[to] = reached[to] || reached[from];
        }
    }
    return reached;
}

}  // namespace

TEST_CASE("The graph has the rows of the ledger, and its walks reach what naive ones reach") {
    const unsigned first = std::random_device()() % 1'000'000;
    for (unsigned round = 0; round < 60; ++round) {
        INFO("seed " << first + round);
        std::mt19937 random(first + round);
        GraphLedger ledger;
        const std::uint32_t specs = 3 + round;
        const std::set<Row> rows = add_random_specs(ledger, random, specs);
        const SpecGraph graph(ledger.database());
        CHECK(graph.size() == specs + 1);
        CHECK(rows_of(graph) == rows);
        CHECK(rows_of_dependents(graph) == rows);

        SpecSet starts = graph.no_specs();
        for (int i = 0; i < 2; ++i) {
            starts[1 + random() % specs] = true;
        }
        const SpecSet below = with_dependencies(graph, starts, SpecGraph::all_edges());
        CHECK(below == naive_reach(starts, rows, false));
        const SpecSet above = with_dependents(graph, starts, SpecGraph::all_edges());
        CHECK(above == naive_reach(starts, rows, true));

        // A part of the graph has what is below its starts, and nothing else.
        std::set<Row> rows_below;
        std::ranges::copy_if(rows, std::inserter(rows_below, rows_below.end()),
                             [&](const Row& row) { return below[std::get<0>(row)]; });
        const SpecGraph part(ledger.database(), starts);
        CHECK(rows_of(part) == rows_below);
        for (const std::uint32_t spec : members(below)) {
            CHECK(part.form(spec) == graph.form(spec));
        }

        // A graph that grows has what it had and what is below the further starts.
        SpecSet one = graph.no_specs();
        one[1 + random() % specs] = true;
        SpecGraph grown(ledger.database(), one);
        std::transform(one.begin(), one.end(), starts.begin(), one.begin(), std::logical_or());
        CHECK(rows_of_dependents(grown) == rows_of(grown));
        grown.add(ledger.database(), starts);
        const SpecGraph at_once(ledger.database(), one);
        CHECK(rows_of(grown) == rows_of(at_once));
        CHECK(rows_of_dependents(grown) == rows_of_dependents(at_once));
        for (std::uint32_t spec = 0; spec < graph.size(); ++spec) {
            CHECK(grown.form(spec) == at_once.form(spec));
        }

        // Read upwards, it has what needs the starts, and what links or runs what needs them so.
        std::set<Row> runtime_rows;
        std::ranges::copy_if(
            rows, std::inserter(runtime_rows, runtime_rows.end()),
            [](const Row& row) { return std::get<2>(row) == 2 || std::get<2>(row) == 3; });
        const SpecSet users = naive_reach(starts, runtime_rows, true);
        std::set<Row> rows_above;
        std::ranges::copy_if(rows, std::inserter(rows_above, rows_above.end()),
                             [&](const Row& row) { return users[std::get<1>(row)]; });
        const SpecGraph read_upwards = SpecGraph::above(
            ledger.database(), starts, [](const DependencyKind& kind) { return kind.is_runtime; });
        CHECK(rows_of_dependents(read_upwards) == rows_above);
    }
}

TEST_CASE("Specs stand behind those that they need") {
    GraphLedger ledger;
    ledger.add({"zlib", "zlib"});
    ledger.add({"curl", "curl", {{"zlib"}}});
    ledger.add({"app", "app", {{"curl", "run"}, {"zlib", "build"}}});
    const SpecGraph graph(ledger.database());
    SpecSet all = graph.no_specs();
    all.flip();
    all[0] = false;
    CHECK(NeedOrder(graph, all, SpecGraph::all_edges()).nodes() ==
          std::vector<std::uint32_t>{1, 2, 3});
}

TEST_CASE("Edges that lead from or to no spec are left out") {
    GraphLedger ledger;
    ledger.add({"zlib", "zlib"});
    ledger.add({"curl", "curl", {{"zlib"}}});
    ledger.database().exec("INSERT INTO dependency VALUES (2, 99, 1), (98, 1, 1), (-3, 1, 1)");
    const SpecGraph graph(ledger.database());
    CHECK(rows_of(graph).size() == 1);
    ledger.database().exec(
        fmt::format("INSERT INTO spec (spec_id, hash, look_id) SELECT 900000000000, '{}', look_id "
                    "FROM spec LIMIT 1",
                    hash_of("far")));
    CHECK_THROWS_WITH(
        SpecGraph(ledger.database()),
        Catch::Matchers::StartsWith("the ledger has a spec with the number 900000000000"));
}

}  // namespace spec_graph_test
