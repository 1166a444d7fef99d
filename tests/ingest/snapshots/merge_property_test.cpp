#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "ingest/runs/files/graph_source.hpp"
#include "ingest/sources/inputs/inputs.hpp"
#include "schema/ledger/check/check.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_fixture.hpp"
#include "tests/support/ledgers/graph_text.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace merge_property_test {

// What several files say of one hash, loaded in one run or in several, in any order.
using namespace cacheledger;
using graph_text::Dependency;
using graph_text::index;
using graph_text::Keyed;
using graph_text::NodeText;
using Views = std::map<std::string, Lines>;

namespace {

const std::string a = hash_of("a"), b = hash_of("b"), c = hash_of("c"), d = hash_of("d");

void load(TempLedger& ledger, const Lines& arguments, int day) {
    const Inputs inputs = find_inputs({.arguments = arguments});
    ingest(ledger.database(), *open_graphs(inputs, "develop", "a test"),
           {.taken_at = parse_moment(fmt::format("2025-03-{:02}", day)).value()},
           [](std::size_t, std::size_t) {});
}

/// All that belongs to a hash, and to no snapshot.
Views what_hashes_have(TempLedger& ledger) {
    CHECK(find_problems(ledger.database(), 10) == Lines{});
    return {
        {"dependencies", ledger.rows("SELECT * FROM dependencies ORDER BY 2, 4, 5")},
        {"varying_dependencies",
         ledger.rows("SELECT * FROM varying_dependencies ORDER BY 2, 4, 5")},
        {"specs", ledger.rows("SELECT DISTINCT package, version, hash, compiler, os, platform, "
                              "target, variants, namespace, package_hash, external, "
                              "external_path, build_hash, knows_dependencies FROM specs "
                              "ORDER BY hash")},
        {"spec_variants", ledger.rows("SELECT * FROM spec_variants ORDER BY 1, 2, 3, 4")},
        {"nodes", ledger.rows("SELECT x.hash, n.form, n.compiler_from, n.hash_state, t.features, "
                              "n.provided_virtuals, n.digest, n.read_again, o.flags, o.patches "
                              "FROM node n JOIN spec x USING (spec_id) JOIN recipe o "
                              "USING (recipe_id) LEFT JOIN target_definition t "
                              "USING (target_definition_id) ORDER BY 1")},
    };
}

Lines conflicts(TempLedger& ledger) {
    return ledger.rows(
        "SELECT DISTINCT substr(detail, 1, 32) FROM findings "
        "WHERE kind = 'hash-conflict' ORDER BY 1");
}

/// The files in one run, each as the index of a stack.
void load_at_once(TempLedger& ledger, const Lines& files) {
    Lines arguments;
    for (const std::string& file : files) {
        arguments.push_back(fmt::format("s{}={}", arguments.size(), file));
    }
    load(ledger, arguments, 1);
}

void load_one_by_one(TempLedger& ledger, const Lines& files) {
    int day = 0;
    for (const std::string& file : files) {
        load(ledger, {file}, ++day);
    }
}

/// Nodes, and how files may tell them: in several forms, with other edges where those are not part
/// of the hash.
class RandomSpellings {
  public:
    explicit RandomSpellings(unsigned seed) : random_(seed) {
        for (unsigned i = 0; i < 8; ++i) {
            const std::string stem(1, static_cast<char>('a' + i));
            NodeText node{hash_of(stem), "p" + stem, fmt::format("{}", i)};
            for (const NodeText& child : nodes_) {
                const unsigned what = below(4);
                if (what > 1) {
                    node.dependencies.push_back({child.package, child.hash});
                    Dependency& edge = node.dependencies.back();
                    edge.types = what == 2 ? Lines{"link", "run"} : Lines{"build", "link"};
                    edge.virtuals = below(3) == 0 ? Lines{"mpi"} : Lines();
                }
            }
            nodes_.push_back(node);
        }
    }

    /// With a value of its own for a node, if `contradicts`.
    std::string file(bool contradicts) {
        std::vector<Keyed> keyed;
        for (const NodeText& node : nodes_) {
            const int form = static_cast<int>(2 + below(3));
            NodeText told = spelled(node, form);
            if (contradicts && below(3) == 0) {
                told.version += fmt::format(".{}", below(2));
            }
            keyed.emplace_back(node.hash, told.text(form));
        }
        return index("7", keyed);
    }

    std::mt19937& random() { return random_; }

  private:
    unsigned below(unsigned bound) { return static_cast<unsigned>(random_() % bound); }

    NodeText spelled(NodeText node, int form) {
        node.target = fmt::format(R"({{"name":"zen3","features":["f{}"]}})", below(5));
        node.name_space = below(2) == 0 ? "builtin" : "spack_repo.builtin";
        for (const NodeText& child : nodes_) {
            if (child.hash >= node.hash || below(3) != 0) {
                continue;
            }
            const std::string type = form < 3 && below(2) == 0 ? "build" : "test";
            const auto known =
                std::find_if(node.dependencies.begin(), node.dependencies.end(),
                             [&](const Dependency& edge) { return edge.hash == child.hash; });
            if (known == node.dependencies.end()) {
                node.dependencies.push_back({child.package, child.hash, {type}});
                node.dependencies.back().virtuals = below(2) == 0 ? Lines{"c"} : Lines();
            } else if (std::ranges::find(known->types, type) == known->types.end()) {
                known->types.push_back(type);
            }
        }
        return node;
    }

    std::mt19937 random_;
    std::vector<NodeText> nodes_;
};

unsigned first_seed() {
    const char* const given = std::getenv("CACHELEDGER_TEST_SEED");
    const unsigned seed =
        given == nullptr ? std::random_device()() : static_cast<unsigned>(std::stoul(given));
    std::cout << fmt::format("from seed {} on\n", seed);
    return seed;
}

}  // namespace

TEST_CASE("An edge that is not part of the hash is no conflict, in one run or two, in any order") {
    const TempFolder folder;
    const auto file = [&](const std::string& name, const std::vector<Dependency>& dependencies) {
        return folder.write(name, index("7", {{a, NodeText{a, "top", "1", dependencies}.text(4)},
                                              {b, NodeText{b, "zlib"}.text(4)},
                                              {c, NodeText{c, "check"}.text(4)}}));
    };
    Lines files = {file("one.json", {{"zlib", b, {"link"}}}),
                   file("two.json", {{"zlib", b, {"link"}}, {"check", c, {"test"}}})};
    const Views expected = {
        {"dependencies",
         {fmt::format("top|{}|zlib|{}|link|", a, b), fmt::format("top|{}|check|{}|test|", a, c)}},
        {"varying_dependencies", {}}};
    for (int order = 0; order < 2; ++order) {
        for (const auto& load_files : {load_at_once, load_one_by_one}) {
            TempLedger ledger;
            load_files(ledger, files);
            CHECK(conflicts(ledger) == Lines{});
            for (const auto& [view, rows] : expected) {
                CHECK(what_hashes_have(ledger).at(view) == rows);
            }
        }
        std::swap(files[0], files[1]);
    }
}

TEST_CASE("Several files in one run give what they give in as many runs, in any order") {
    const unsigned first = first_seed();
    for (unsigned seed = first; seed < first + 30; ++seed) {
        INFO("seed " << seed);
        RandomSpellings spellings(seed);
        // Of more than two files that contradict each other, the first two are decided first.
        const bool contradict = seed % 3 == 0;
        const TempFolder folder;
        Lines files;
        for (unsigned i = 0; i < (contradict ? 2 : 2 + seed % 3); ++i) {
            files.push_back(
                folder.write(fmt::format("{}.json", i), spellings.file(contradict)).string());
        }
        TempLedger one;
        load_at_once(one, files);
        const Views expected = what_hashes_have(one);
        const Lines expected_conflicts = conflicts(one);
        CHECK((contradict || expected_conflicts.empty()));
        for (int order = 0; order < 4; ++order) {
            std::shuffle(files.begin(), files.end(), spellings.random());
            TempLedger other;
            (order == 0 ? load_at_once : load_one_by_one)(other, files);
            const Views views = what_hashes_have(other);
            for (const auto& [name, rows] : expected) {
                INFO(name);
                REQUIRE(views.at(name) == rows);
            }
            REQUIRE(conflicts(other) == expected_conflicts);
        }
    }
}

}  // namespace merge_property_test
