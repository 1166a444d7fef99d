#include <fmt/format.h>

#include <random>
#include <string>
#include <vector>

#include "reports/questions/coverage/coverage.hpp"
#include "reports/questions/timeline/timeline.hpp"
#include "reports/questions/wanted/wanted_graph.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "schema/specs/lists/spec_list.hpp"
#include "schema/specs/queries/spec_parser.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_ledger.hpp"

namespace build_plan_test {

using namespace cacheledger;
using Catch::Matchers::ContainsSubstring;

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

/// app links curl, which links zlib; tool is never in the cache.
class Past {
  public:
    Past() {
        ledger_.add({"zlib", "zlib"});
        ledger_.add({"tool", "tool"});
        ledger_.add({"curl", "curl", {{"zlib"}}});
        ledger_.add({"app", "app", {{"curl"}, {"tool", "run"}}});
        ledger_.take({{"zlib"}, {"zlib", "curl", "app"}, {"zlib", "app"}, {"zlib", "app"}});
        ledger_.take_lock({"zlib", "tool", "curl", "app"}, {"app"});
    }

    SQLite::Database& database() { return ledger_.database(); }
    WantedGraph wanted() {
        return wanted_of_snapshot(database(), find_snapshot(database(), "lock@0"));
    }
    Coverage cover(const std::string& snapshot) {
        return cover_graph(database(), find_snapshot(database(), snapshot), wanted());
    }
    Coverage cover_text(const std::string& list, const std::string& snapshot) {
        return cover_list(database(), find_snapshot(database(), snapshot), "list",
                          read_spec_list(list, "list"));
    }

  private:
    GraphLedger ledger_;
};

/// "curl: in develop until 1970-01-01 (develop@1 1970-01-01T00:00:01Z, now in -)".
Lines seen(const Coverage& coverage) {
    Lines lines;
    const auto value = [&](const std::vector<Value>& row, const char* column) {
        const Value& found = row[column_of(coverage.missing, column)];
        return is_null(found) ? std::string("-") : to_text(found);
    };
    for (const auto& row : coverage.missing.rows) {
        lines.push_back(fmt::format("{}: {} ({} {}, now in {})", value(row, "package"),
                                    value(row, "seen"), value(row, "where"),
                                    value(row, "last_seen"), value(row, "now_in")));
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

TEST_CASE("What is missing has a past: when it was last there, or that it was never seen") {
    Past past;
    const Coverage coverage = past.cover("develop@3");
    CHECK(seen(coverage) ==
          Lines{"curl: in develop until 1970-01-01 (develop@1 1970-01-01T00:00:01Z, now in -)",
                "tool: never seen (- -, now in -)"});
    CHECK(coverage.past ==
          "Of what must be built, 1 was in another snapshot and 1 was never seen.");
    CHECK(coverage.better == "develop@1 has more: 3 of 4 binaries.");
}

TEST_CASE("What an older snapshot lacks may be there now") {
    Past past;
    const Coverage coverage = past.cover("develop@0");
    CHECK(seen(coverage)[0] ==
          "curl: in develop until 1970-01-01 (develop@1 1970-01-01T00:00:01Z, now in -)");
    CHECK(seen(coverage)[2] ==
          "app: now in develop (develop@3 1970-01-01T00:00:03Z, now in develop)");
    CHECK(
        coverage.past ==
        "Of what must be built, 1 is in another snapshot now, 1 was in another snapshot and 1 was "
        "never seen.");
}

TEST_CASE("Lines of a list have a past, too, and hashes are compared with all snapshots") {
    Past past;
    const Coverage coverage = past.cover_text("zlib\ncurl@1.0\ntool\ncurl@2:\n", "develop@3");
    CHECK(seen(coverage) ==
          Lines{"curl: in develop until 1970-01-01 (develop@1 1970-01-01T00:00:01Z, now in -)",
                "tool: never seen (- -, now in -)", "curl: never seen (- -, now in -)"});
    CHECK(coverage.past == "Of what is missing, 1 was in another snapshot and 2 were never seen.");
    const auto hash = std::get<std::string>(past.cover("develop@3").missing.rows[0][1]);
    const Coverage of_hash = past.cover_text("/" + hash + "\n", "develop@3");
    CHECK(of_hash.past == "What is missing was in develop until 1970-01-01.");
    CHECK(of_hash.better == "develop@1 has all 1 binary.");
}

TEST_CASE("A ledger with one snapshot tells no past") {
    GraphLedger ledger;
    ledger.add({"zlib", "zlib"}).add({"curl", "curl", {{"zlib"}}});
    ledger.take({{"zlib"}});
    ledger.take_lock({"zlib", "curl"}, {"curl"});
    auto& database = ledger.database();
    const Coverage coverage =
        cover_graph(database, find_snapshot(database, "develop@0"),
                    wanted_of_snapshot(database, find_snapshot(database, "lock@0")));
    CHECK_FALSE(coverage.past);
    CHECK(coverage.missing.columns.back() == "differs");
}

TEST_CASE("Snapshots are compared, the best first") {
    Past past;
    const EachSnapshot each =
        cover_each(past.database(), "develop", {"spack.lock", past.wanted(), {}});
    Lines lines;
    for (const EachSnapshot::One& one : each.snapshots) {
        lines.push_back(fmt::format("{} {}/{} {}", one.snapshot, one.runtime.covered,
                                    one.runtime.specs, one.to_build.value()));
    }
    CHECK(lines ==
          Lines{"develop@1 3/4 1", "develop@3 2/4 2", "develop@2 2/4 2", "develop@0 1/4 3"});
    for (const EachSnapshot::One& one : each.snapshots) {  // the long way
        const Coverage coverage = past.cover(one.snapshot);
        CHECK(coverage.runtime.covered == one.runtime.covered);
        CHECK(std::ssize(coverage.to_build.rows) == one.to_build);
    }
}

TEST_CASE("Lines of lists and lock files are one in a comparison of snapshots") {
    Past past;
    const SpecList list = read_spec_list("zlib\ncurl\n", "list");
    const EachSnapshot each =
        cover_each(past.database(), "develop@[01]", {"2 files", past.wanted(), list.specs});
    REQUIRE(each.snapshots.size() == 2);
    CHECK(each.snapshots[0].runtime.covered == 5);
    CHECK(each.snapshots[0].runtime.specs == 6);
    CHECK(each.snapshots[1].to_build == 3);
    CHECK_THROWS_WITH(cover_each(past.database(), "lock*", {"x", past.wanted(), {}}),
                      ContainsSubstring("no snapshot of a cache matches"));
}

TEST_CASE("A spec is found in all series, caches and lock files alike") {
    Past past;
    const auto told = [&](const std::string& spec, const std::string& pattern) {
        Lines lines;
        for (const auto& one : where_used(past.database(), parse_spec(spec), pattern).series) {
            lines.push_back(fmt::format("{} {} {}/{} {}", one.series, one.kind, one.builds, one.all,
                                        one.last.name));
        }
        return lines;
    };
    CHECK(told("curl", "*") == Lines{"lock lock 1/1 lock@0", "develop index 0/1 develop@1"});
    CHECK(told("zlib", "dev*") == Lines{"develop index 1/1 develop@3"});
    CHECK(told("tool", "develop").empty());
    CHECK_THROWS_WITH(told("curl", "x*"), ContainsSubstring("no series matches"));
    CHECK_THROWS_AS(told("curly", "*"), UsageError);
}

}  // namespace build_plan_test
