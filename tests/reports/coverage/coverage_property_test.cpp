#include <fmt/format.h>

#include <random>

#include "reports/questions/coverage/coverage.hpp"
#include "reports/questions/wanted/wanted_graph.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "schema/ledger/nearest/nearest_specs.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_ledger.hpp"
#include "tests/support/ledgers/report_rows.hpp"

namespace coverage_property_test {

using namespace cacheledger;

namespace {

std::string stem_of(std::size_t number) {
    return {static_cast<char>('a' + number / 26), static_cast<char>('a' + number % 26)};
}

/// A ledger with a random cache, and a random lock file some of whose specs it has.
class RandomLedger {
  public:
    explicit RandomLedger(std::mt19937& random) : random_(random) {
        const std::size_t size = 2 + below(25);
        Lines in_lock, cached, roots;
        for (std::size_t i = 0; i < size; ++i) {
            ledger.add(node(i));
            in_lock.push_back(stem_of(i));
            if (below(3) == 0) {
                cached.push_back(stem_of(i));
            }
            if (below(5) == 0) {
                roots.push_back(stem_of(i));
            }
        }
        ledger.take({cached});
        ledger.take_lock(in_lock, roots);
    }

    GraphLedger ledger;

  private:
    std::size_t below(std::size_t most) {
        return std::uniform_int_distribution<std::size_t>(0, most - 1)(random_);
    }
    std::string one_of(const Lines& words) { return words[below(words.size())]; }

    GraphNode node(std::size_t number) {
        GraphNode node{stem_of(number), one_of({"hdf5", "zlib", "cmake"})};
        for (std::size_t edges = number == 0 ? 0 : below(4); edges > 0; --edges) {
            node.edges.push_back(
                {stem_of(below(number)), one_of({"build", "link", "run", "test", "build,link"})});
        }
        std::ranges::sort(node.edges, {}, &GraphEdge::child);
        // Clang 14 can't read std::ranges::unique of GCC 12.
        const auto same = [](const GraphEdge& a, const GraphEdge& b) { return a.child == b.child; };
        node.edges.erase(std::unique(node.edges.begin(), node.edges.end(), same), node.edges.end());
        node.version = one_of({"1.0", "1.1"});
        node.target = one_of({"zen2", "zen3", "x86_64_v3", "aarch64", "zen99"});
        node.variants = one_of({"+shared", "~shared", "+shared +pic"});
        node.recipe = one_of({"r1", "r2"});
        if (below(6) == 0) {
            node.external_path = "/usr";
        }
        if (below(3) == 0) {
            node.compiler = one_of({"gcc@12.1", "gcc@13.2.0"});
        }
        if (below(5) == 0) {
            node.build_hash = hash_of(stem_of(below(26)));
        }
        node.is_described = below(10) > 0;
        return node;
    }

    std::mt19937& random_;
};

std::string text_of_row(const std::vector<Value>& row, std::size_t columns) {
    std::string line;
    for (std::size_t i = 0; i < columns; ++i) {
        line += fmt::format("{}{}", i == 0 ? "" : "|", is_null(row[i]) ? "NULL" : to_text(row[i]));
    }
    return line;
}

Lines nearest_of_snapshot(SQLite::Database& database, const Snapshot& cache,
                          const WantedGraph& wanted, const Coverage& coverage) {
    Lines lines;
    for (const auto& row : coverage.missing.rows) {
        for (const WantedNode& node : wanted.nodes) {
            if (node.spec.hash == to_text(row[1])) {
                const auto near = nearest_specs(database, cache.id, node.spec, 1);
                lines.push_back(near.empty() ? "NULL" : near[0].spec.hash);
            }
        }
    }
    return lines;
}

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

TEST_CASE("The program finds what of a lock file is missing as the SQL does") {
    const unsigned seed = std::random_device()();
    INFO("seed " << seed);
    std::mt19937 random(seed);
    std::size_t missing = 0, with_nearest = 0;
    for (int round = 0; round < 25; ++round) {
        RandomLedger made(random);
        auto& database = made.ledger.database();
        const Snapshot lock = find_snapshot(database, "lock@0");
        const Snapshot cache = find_snapshot(database, "develop@0");
        const WantedGraph wanted = wanted_of_snapshot(database, lock);
        const Coverage coverage = cover_graph(database, cache, wanted);

        Lines found, nearest;
        for (const auto& row : coverage.missing.rows) {
            found.push_back(text_of_row(row, 7));
            nearest.push_back(is_null(row[6]) ? "NULL" : to_text(row[6]));
            with_nearest += is_null(row[6]) ? 0 : 1;
        }
        Lines expected;
        const Arguments arguments = {{"lock", lock.name}, {"at", cache.name}};
        for (const std::string& line :
             report_rows(made.ledger.ledger(), "coverage/missing", arguments)) {
            expected.push_back(line.substr(0, line.rfind('|')));
        }
        CHECK(found == expected);
        CHECK(nearest == nearest_of_snapshot(database, cache, wanted, coverage));
        missing += found.size();

        const Lines counts = report_rows(made.ledger.ledger(), "coverage/wanted", arguments);
        if (wanted.roots.empty()) {
            CHECK(counts.empty());
            continue;
        }
        REQUIRE(counts.size() == 2);
        CHECK(counts[0].starts_with(
            fmt::format("link,run|{}|{}|", coverage.runtime.specs, coverage.runtime.covered)));
        CHECK(counts[1].starts_with(
            fmt::format("all|{}|{}|", coverage.all->specs, coverage.all->covered)));
        CHECK(coverage.all->specs - coverage.all->covered ==
              static_cast<std::int64_t>(found.size()));
    }
    CHECK(missing > 20);
    CHECK(with_nearest > 5);
}

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

}  // namespace coverage_property_test
