#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "schema/ledger/wishes/judge_wishes.hpp"
#include "schema/ledger/wishes/package_wishes.hpp"
#include "schema/specs/queries/spec_parser.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_ledger.hpp"

namespace wish_answers_test {

using namespace cacheledger;
using StoredWish = std::pair<std::string, std::string>;  // spec, conditions

namespace {

/// Builds of hdf5. Of those with "page" only the look is known.
void add_builds(GraphLedger& ledger) {
    ledger.add({.stem = "gcc", .package = "gcc", .version = "13.2.0"});
    ledger.add({.stem = "clang", .package = "llvm", .version = "17.0.6"});
    ledger.add({.stem = "mpich", .package = "mpich", .version = "4.2"});
    ledger.add({.stem = "a",
                .package = "hdf5",
                .edges = {{"gcc", "build", "c,cxx"}, {"mpich", "build,link", "mpi"}},
                .version = "1.14.3",
                .variants = "+mpi +shared",
                .compiler = "gcc@13.2.0",
                .compiler_from = "edge"});
    ledger.add({.stem = "b",
                .package = "hdf5",
                .edges = {{"clang", "build", "c,cxx"}},
                .version = "1.12.1",
                .variants = "~mpi +shared",
                .compiler = "llvm@17.0.6",
                .compiler_from = "edge"});
    ledger.add({.stem = "c", .package = "hdf5", .version = "1.14.5", .variants = "+cuda"});
    ledger.add({.stem = "pagea",
                .package = "hdf5",
                .version = "1.14.3",
                .variants = "+mpi +shared",
                .compiler = "gcc@13.2.0",
                .is_described = false});
    ledger.add({.stem = "pageb",
                .package = "hdf5",
                .version = "1.14.3",
                .variants = "~mpi +shared",
                .is_described = false});
}

/// The stems of those that meet the wish: "a pagea?", '?' where it is not sure, '!' where it is as
/// preferred.
std::string met(GraphLedger& ledger, const std::string& spec, const std::string& conditions) {
    SQLite::Statement select(ledger.database(),
                             "SELECT x.spec_id, x.look_id, x.hash FROM spec x JOIN look USING "
                             "(look_id) JOIN package k USING (package_id) WHERE k.name = 'hdf5' "
                             "ORDER BY x.spec_id");
    std::vector<SpecAndLook> specs;
    std::vector<std::string> hashes;
    while (select.executeStep()) {
        specs.push_back({select.getColumn(0).getInt64(), select.getColumn(1).getInt64()});
        hashes.push_back(select.getColumn(2).getString());
    }
    const Wish wish{spec, parse_spec(spec), "", 1, parse_conditions(conditions)};
    SearchMemory memory(ledger.database());
    std::string text;
    for (const MetBy& one : specs_that_meet(ledger.database(), wish, specs, memory)) {
        for (std::size_t i = 0; i < specs.size(); ++i) {
            for (const char* const stem : {"pagea", "pageb", "a", "b", "c"}) {
                if (specs[i].spec_id == one.spec_id && hashes[i] == hash_of(stem)) {
                    text += (text.empty() ? "" : " ") + std::string(stem) +
                            (one.is_sure ? "" : "?") + (one.is_preferred ? "!" : "");
                }
            }
        }
    }
    return text;
}

const std::vector<StoredWish> all_wishes = {
    {"hdf5", "[]"},
    {"hdf5 +mpi", R"([{"require":"%gcc","of":"all"}])"},
    {"hdf5 ^mpi", "[]"},
    {"hdf5 %fortran=gcc", R"([{"prefer":"@1.14"}])"},
    {"hdf5@1.12", R"([{"require":"+cuda","of":"all"},{"prefer":"^mpich"}])"},
    {"mpich", "[]"},
    {"/hdfa", "[]"},
    {"zlib", "[]"},
};

std::vector<GraphNode> all_specs() {
    std::vector<GraphNode> specs;
    specs.push_back({.stem = "gcc", .package = "gcc", .version = "13.2.0"});
    specs.push_back({.stem = "clang", .package = "llvm", .version = "17.0.6"});
    specs.push_back({.stem = "mpich", .package = "mpich", .version = "4.2"});
    specs.push_back(
        {.stem = "hdfa",
         .package = "hdf5",
         .edges = {{"clang", "build", "c"}, {"gcc", "build", "fortran"}, {"mpich", "link", "mpi"}},
         .version = "1.14.3",
         .variants = "+mpi",
         .compiler = "llvm@17.0.6",
         .compiler_from = "edge"});
    specs.push_back({.stem = "hdfb", .package = "hdf5", .version = "1.12", .variants = "+mpi"});
    specs.push_back({.stem = "hdfc",
                     .package = "hdf5",
                     .edges = {{"mpich", "link", std::nullopt}, {"gcc", "build", std::nullopt}},
                     .version = "1.12",
                     .variants = "+mpi",
                     .compiler = "gcc@13.2.0",
                     .compiler_from = "node",
                     .form = 3});
    specs.push_back({.stem = "zlib", .package = "zlib"});
    return specs;
}

void add_wish(GraphLedger& ledger, const StoredWish& wish) {
    const std::string name = wish.first.substr(0, wish.first.find_first_of(" @"));
    ledger.database().exec(
        fmt::format("INSERT INTO wish (package, spec, conditions) VALUES ({}, '{}', '{}')",
                    name.starts_with('/') ? "NULL" : "'" + name + "'", wish.first, wish.second));
}

/// "hdf5 +mpi: hdfa 1 0": the wish, the spec, whether it is sure, whether it is preferred.
Lines judged(GraphLedger& ledger) {
    SQLite::Statement select(ledger.database(),
                             "SELECT w.spec || ': ' || substr(x.hash, 1, 5) || ' ' || a.is_sure || "
                             "' ' || a.is_preferred FROM wish_spec a JOIN wish w USING (wish_id) "
                             "LEFT JOIN spec x USING (spec_id) ORDER BY 1");
    Lines lines;
    while (select.executeStep()) {
        lines.push_back(select.getColumn(0).getString());
    }
    return lines;
}

Lines judged_at_once() {
    GraphLedger ledger;
    for (const GraphNode& spec : all_specs()) {
        ledger.add(spec);
    }
    for (const StoredWish& wish : all_wishes) {
        add_wish(ledger, wish);
    }
    judge_wishes(ledger.database());
    return judged(ledger);
}

}  // namespace

TEST_CASE("A wish is met by what matches its spec and its conditions") {
    GraphLedger ledger;
    add_builds(ledger);
    struct Case {
        const char* spec;
        const char* conditions;
        const char* met;
    };
    const std::vector<Case> cases = {
        {"hdf5", "[]", "a! b! c! pagea! pageb!"},
        {"hdf5@1.14 +mpi", "[]", "a! pagea!"},
        {"hdf5 ^mpich", "[]", "a! pagea?! pageb?!"},
        {"zlib", "[]", ""},
        {"hdf5", R"([{"require":"+mpi"}])", "a! pagea!"},
        // Of all: only where the build has the variant.
        {"hdf5", R"([{"require":"+mpi","of":"all"}])", "a! c! pagea!"},
        {"hdf5", R"([{"require":"%gcc"}])", "a! pagea! pageb?!"},
        // Of all: c uses no compiler.
        {"hdf5", R"([{"require":"%gcc","of":"all"}])", "a! c! pagea! pageb?!"},
        {"hdf5", R"([{"require":"%c,cxx=clang"}])", "b! pageb?!"},
        // A page shows one compiler, which is that of C if the build uses C.
        {"hdf5", R"([{"require":"%c,cxx=gcc"}])", "a! pagea?! pageb?!"},
        {"hdf5", R"([{"require":"%cxx=clang"}])", "b! pagea?! pageb?!"},
        {"hdf5 %fortran=gcc", "[]", "pagea?! pageb?!"},
        {"hdf5", R"([{"require":"@1.14:"},{"require":"+shared"}])", "a! pagea! pageb!"},
        {"hdf5", R"([{"any_of":["@1.12","+cuda"]}])", "b! c!"},
        {"hdf5", R"([{"one_of":["+shared","+mpi"]}])", "b! pageb!"},
        {"hdf5", R"([{"one_of":["%gcc","+mpi"]}])", "pageb?!"},
        {"hdf5", R"([{"one_of":["+mpi","*"]}])", "b! c! pageb!"},
        {"hdf5", R"([{"require":"~mpi","when":"%gcc"}])", "b! c! pageb!"},
        {"hdf5", R"([{"require":"+mpi","when":"%gcc"}])", "a! b! c! pagea! pageb?!"},
        {"hdf5", R"([{"prefer":"+mpi"}])", "a! b c pagea! pageb"},
        {"hdf5", R"([{"prefer":"%gcc","of":"all"}])", "a! b c! pagea! pageb"},
    };
    for (const Case& one : cases) {
        INFO(one.spec << " " << one.conditions);
        CHECK(met(ledger, one.spec, one.conditions) == one.met);
    }
}

TEST_CASE("What meets wishes does not depend on the order in which wishes and specs came") {
    const Lines expected = judged_at_once();
    CHECK(expected.size() == 15);
    const unsigned seed = std::random_device{}();
    INFO("seed " << seed);
    std::mt19937 random(seed);
    for (int run = 0; run < 60; ++run) {
        GraphLedger ledger;
        auto wishes = all_wishes;
        std::ranges::shuffle(wishes, random);
        const auto specs = all_specs();  // in this order: each is behind its dependencies
        std::vector<GraphNode> later;
        std::size_t wish = 0;
        const auto add_wishes = [&](bool all) {
            while (wish < wishes.size() && (all || random() % 2 == 0)) {
                add_wish(ledger, wishes[wish++]);
            }
            if (all || random() % 2 == 0) {
                judge_wishes(ledger.database());
            }
        };
        for (GraphNode spec : specs) {
            if (random() % 2 == 0) {  // a page has it before any other source does
                later.push_back(spec);
                spec.is_described = false;
            }
            ledger.add(spec);
            add_wishes(false);
        }
        std::ranges::shuffle(later, random);
        for (const GraphNode& spec : later) {
            ledger.add(spec);
            add_wishes(false);
        }
        add_wishes(true);
        REQUIRE(judged(ledger) == expected);
        judge_wishes(ledger.database());
        REQUIRE(judged(ledger) == expected);
    }
}

TEST_CASE("Specs that are gone meet nothing any more, and new ones with their ids are judged") {
    GraphLedger ledger;
    ledger.add({.stem = "a", .package = "hdf5"});
    ledger.add({.stem = "b", .package = "hdf5"});
    add_wish(ledger, {"hdf5", "[]"});
    judge_wishes(ledger.database());
    CHECK(judged(ledger).size() == 2);
    ledger.database().exec(fmt::format(
        "DELETE FROM node WHERE spec_id = (SELECT spec_id FROM spec WHERE hash = '{0}');"
        "DELETE FROM spec WHERE hash = '{0}'",
        hash_of("b")));
    forget_judged_specs(ledger.database());
    CHECK(judged(ledger) == Lines{"hdf5: " + hash_of("a").substr(0, 5) + " 1 1"});
    ledger.add({.stem = "c", .package = "hdf5"});
    judge_wishes(ledger.database());
    CHECK(judged(ledger).size() == 2);
}

TEST_CASE("Where nothing is wanted nothing is judged") {
    GraphLedger ledger;
    ledger.add({.stem = "a", .package = "hdf5"});
    judge_wishes(ledger.database());
    CHECK(ledger.ledger().value("SELECT spec_id FROM wish_judgement") == "0");
    forget_judged_specs(ledger.database());
    CHECK(judged(ledger).empty());
}

}  // namespace wish_answers_test
