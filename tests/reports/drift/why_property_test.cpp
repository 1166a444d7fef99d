#include <fmt/format.h>

#include <fstream>
#include <random>
#include <sstream>

#include "reports/engine/query/run_query.hpp"
#include "reports/engine/reasons/spec_reasons.hpp"
#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_ledger.hpp"

namespace why_property_test {

using namespace cacheledger;

namespace {

/// The statements of tests/support/models/why, which find the reasons by recursion.
std::string model() {
    std::ostringstream text;
    for (const char* const step : {"asked_snapshots", "graphs", "own", "edges", "reasons"}) {
        text << std::ifstream(
                    fmt::format("{}/tests/support/models/why/{}.sql", paths::source, step))
                    .rdbuf();
    }
    return text.str();
}

class RandomStates {
  public:
    explicit RandomStates(unsigned seed) : random_(seed) {}

    /// Two snapshots of specs that share some nodes, and differ in all that nodes can differ in.
    void fill(GraphLedger& ledger) {
        std::vector<std::string> stems;
        std::vector<std::vector<std::string>> snapshots(2);
        const int size = 6 + below(25);
        for (int i = 0; i < size; ++i) {
            GraphNode node{fmt::format("n{}", i), fmt::format("p{}", i / 5 % 6)};
            vary(node);
            for (int edges = stems.empty() ? 0 : below(4); edges > 0; --edges) {
                add_edge(node, stems);
            }
            ledger.add(node);
            stems.push_back(node.stem);
            for (auto& snapshot : snapshots) {
                if (is_one_of(2)) {
                    snapshot.push_back(node.stem + (is_one_of(3) ? ":e4s" : ""));
                }
            }
        }
        ledger.take(snapshots, is_one_of(4) ? "pages" : "index");
    }

    bool is_one_of(int number) { return below(number) == 0; }

  private:
    int below(int most) { return std::uniform_int_distribution<int>(0, most - 1)(random_); }

    void vary(GraphNode& node) {
        if (is_one_of(4)) {
            node.version = fmt::format("1.{}", below(3));
        }
        if (is_one_of(6)) {
            node.target = is_one_of(2) ? "zen3" : "neoverse_v1";
        }
        if (is_one_of(5)) {
            node.variants = is_one_of(2) ? "~shared" : "+mpi +shared";
        }
        if (is_one_of(4)) {
            node.recipe = is_one_of(3) ? std::nullopt : std::optional<std::string>("r2");
        }
        if (is_one_of(8)) {
            node.external_path = is_one_of(2) ? "/usr" : "/opt";
        }
        if (is_one_of(4)) {
            node.compiler = is_one_of(2) ? "gcc@12.1.0" : "gcc@13.2.0";
            node.compiler_from = is_one_of(2) ? "node" : "edge";
        }
        if (is_one_of(4)) {
            node.features = is_one_of(2) ? "avx" : "avx avx2";
        }
        node.form = is_one_of(3) ? 1 + below(6) : 5;
        if (is_one_of(9)) {
            node.build_hash = hash_of(fmt::format("n{}", below(9)));
        }
        if (is_one_of(6)) {
            node.flags = is_one_of(2) ? std::nullopt : std::optional<std::string>("cflags=-O2");
        }
        node.is_described = !is_one_of(8);
    }

    void add_edge(GraphNode& node, const std::vector<std::string>& stems) {
        // Mostly what was added last, so that graphs are deep.
        const int last = static_cast<int>(stems.size()) - 1;
        const auto& child = stems[static_cast<std::size_t>(last - below(std::min(last + 1, 9)))];
        for (const GraphEdge& edge : node.edges) {
            if (edge.child == child) {
                return;
            }
        }
        const char* const types[] = {"link", "build", "build,link", "run", "test"};
        node.edges.push_back({child, types[below(5)],
                              is_one_of(5)   ? std::nullopt
                              : is_one_of(2) ? std::optional<std::string>("")
                                             : std::optional<std::string>("mpi")});
    }

    std::mt19937 random_;
};

constexpr const char* rows =
    "SELECT package, hash, class, change, specs, packages, builds, reach, same_as, namespace, "
    "by_recipe, depth FROM temp.spec_reasons ORDER BY class, hash, change";

/// The same by what was read of another pair and grew.
std::vector<std::string> counted_after_the_way_back(GraphLedger& ledger,
                                                    const Arguments& arguments) {
    PairReading reading(ledger.database());
    Arguments back = arguments;
    std::swap(back.at("from"), back.at("to"));
    {
        const PairDrift drift(ledger.database(), back, &reading);
        const SpecReasons reasons(ledger.database(), drift, back);
    }
    const PairDrift drift(ledger.database(), arguments, &reading);
    const SpecReasons reasons(ledger.database(), drift, arguments);
    return ledger.ledger().rows(rows);
}

}  // namespace

TEST_CASE("The graph in memory finds the reasons that recursion in SQL finds") {
    const unsigned first = std::random_device()() % 1'000'000;
    std::size_t found = 0;
    for (unsigned round = 0; round < 60; ++round) {
        INFO("seed " << first + round);
        RandomStates states(first + round);
        GraphLedger ledger;
        states.fill(ledger);
        const Arguments arguments = {{"from", "develop@0"},
                                     {"to", "develop@1"},
                                     {"stack", states.is_one_of(3) ? Value("e4s") : Value()},
                                     {"package", states.is_one_of(4) ? "p[0-2]" : "*"}};
        std::vector<std::string> counted;
        {
            const PairDrift drift(ledger.database(), arguments);
            const SpecReasons reasons(ledger.database(), drift, arguments);
            counted = ledger.ledger().rows(rows);
        }
        CHECK(counted == counted_after_the_way_back(ledger, arguments));
        const PairDrift drift(ledger.database(), arguments);
        run_steps(ledger.database(), model(), arguments);
        const auto expected = ledger.ledger().rows(rows);
        CHECK(counted == expected);
        found += expected.size();
    }
    CHECK(found > 40);
}

}  // namespace why_property_test
