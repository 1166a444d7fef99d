#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/engine/run/run_report.hpp"
#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_ledger.hpp"

namespace reach_property_test {

using namespace cacheledger;

namespace {

/// The SQL of a report that finds what specs reach by recursion.
std::string model(const std::string& name) {
    std::ostringstream text;
    text << std::ifstream(fmt::format("{}/tests/support/models/reach/{}.sql", paths::source, name))
                .rdbuf();
    return text.str();
}

/// Its columns and rows as lines.
Lines lines_of(const ResultTable& table) {
    Lines lines = {fmt::format("{}", fmt::join(table.columns, "|"))};
    for (const auto& row : table.rows) {
        lines.emplace_back();
        for (const Value& value : row) {
            lines.back() += (is_null(value) ? "NULL" : to_text(value)) + "|";
        }
    }
    return lines;
}

/// Two snapshots and a lock file of nodes that differ in what reports of reach ask.
class RandomNodes {
  public:
    explicit RandomNodes(unsigned seed) : random_(seed) {
        const int size = 4 + below(30);
        Lines stems;
        std::vector<Lines> taken(3);  // two snapshots, a lock file
        for (int i = 0; i < size; ++i) {
            const GraphNode node = next_node(stems);
            ledger.add(node);
            stems.push_back(node.stem);
            for (Lines& specs : taken) {
                if (below(5) > 1) {
                    specs.push_back(node.stem);
                }
            }
        }
        Lines roots;
        for (const std::string& stem : taken[2]) {
            if (below(4) == 0) {
                roots.push_back(stem);
            }
        }
        ledger.take({taken[0], taken[1]}, below(4) == 0 ? "pages" : "index");
        ledger.take_lock(taken[2], roots);
        add_rows(size);
    }

    int below(int most) { return std::uniform_int_distribution<int>(0, most - 1)(random_); }
    Value one_of(const Lines& words) {
        return words[static_cast<std::size_t>(below(static_cast<int>(words.size())))];
    }

    GraphLedger ledger;

  private:
    std::string word_of(const Lines& words) { return std::get<std::string>(one_of(words)); }

    GraphNode next_node(const Lines& stems) {
        GraphNode node{fmt::format("n{}", stems.size()), fmt::format("p{}", below(7))};
        for (int edges = stems.empty() ? 0 : below(4); edges > 0; --edges) {
            const std::string child = word_of(stems);
            if (std::ranges::count(node.edges, child, &GraphEdge::child) == 0) {
                node.edges.push_back(
                    {child, word_of({"link", "build", "build,link", "run", "test"})});
            }
        }
        node.version = word_of({"1.0", "1.1"});
        node.target = word_of({"zen2", "zen3", "aarch64"});
        node.recipe = word_of({"r1", "r2"});
        node.form = 1 + below(6);
        node.is_described = below(9) > 0;
        if (below(8) == 0) {
            node.external_path = "/usr";
        }
        if (below(6) == 0) {
            node.build_hash = hash_of(fmt::format("n{}", below(20)));
        }
        return node;
    }

    /// A circle, which only a file that lies has; what a mirror found; a filter.
    void add_rows(int size) {
        SQLite::Database& database = ledger.database();
        if (below(3) == 0) {
            database.exec(
                fmt::format("INSERT OR IGNORE INTO dependency SELECT spec_id, {}, (SELECT "
                            "edge_kind_id FROM edge_kind ORDER BY edge_kind_id LIMIT 1) "
                            "FROM node WHERE spec_id = {} AND form > 2",
                            1 + below(size), 1 + below(size)));
        }
        for (const char* const kind : {"binary-missing", "binary-unlisted"}) {
            database.exec(fmt::format(
                "INSERT INTO finding (snapshot_id, package_id, kind, detail) "
                "SELECT s.snapshot_id, k.package_id, '{}', k.name || '@1.0/' || x.hash "
                "FROM snapshot s, spec x JOIN look USING (look_id) JOIN package k USING "
                "(package_id) WHERE s.name = 'develop@1' AND x.spec_id IN ({}, {})",
                kind, 1 + below(size), 1 + below(size)));
        }
        if (below(3) == 0) {
            database.exec(
                "CREATE TEMP TABLE asked_looks AS SELECT look_id, package_id, version_id, "
                "arch_id, compiler_id, variant_set_id FROM look WHERE look_id % 3 > 0");
        }
    }

    std::mt19937 random_;
};

}  // namespace

TEST_CASE("Reports of reach have the rows that recursion in SQL finds") {
    const unsigned first = std::random_device()() % 1'000'000;
    const Catalog catalog;
    std::map<std::string, std::size_t> found;
    for (unsigned round = 0; round < 40; ++round) {
        RandomNodes nodes(first + round);
        const Arguments choices = {
            {"at", nodes.one_of({"develop@0", "develop@1", "lock@0"})},
            {"lock", nodes.one_of({"lock@0", "lock@0", "develop@0"})},
            {"package", nodes.one_of({"*", "*", "p[0-3]"})},
            {"spec", nodes.one_of({"p1", hash_of("n2"), "[1,2,99]"})},
            {"deptype", nodes.one_of({"build,link,run", "link,run", "test"})}};
        for (const char* const name : {"audit/closure", "audit/dependents", "audit/hashes",
                                       "coverage/missing", "coverage/wanted"}) {
            const Report& report = catalog.find(name);
            Arguments arguments;
            for (const Parameter& parameter : report.parameters) {
                arguments[parameter.name] = choices.at(parameter.name);
            }
            INFO("seed " << first + round << " " << name);
            SQLite::Database& database = nodes.ledger.database();
            const auto expected = run_query(
                database, "model", model(report.name.substr(report.name.find('/') + 1)), arguments);
            const auto counted = run_report(database, report, arguments);
            CHECK(lines_of(counted) == lines_of(expected));
            found[name] += expected.rows.size();
        }
    }
    CHECK(found["audit/closure"] > 40);
    CHECK(found["audit/dependents"] > 40);
    CHECK(found["coverage/missing"] > 40);
}

}  // namespace reach_property_test
