#include <fmt/format.h>

#include "reports/questions/diff/diff.hpp"
#include "reports/questions/why/told_apart.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/filled.hpp"
#include "tests/support/ledgers/graph_ledger.hpp"

namespace told_apart_test {

using namespace cacheledger;

namespace {

std::uint32_t id_of(GraphLedger& ledger, const std::string& stem) {
    return only_value<std::uint32_t>(ledger.database(), "SELECT spec_id FROM spec WHERE hash = ?",
                                     hash_of(stem));
}

Lines told_apart(GraphLedger& ledger, const Lines& stems) {
    std::vector<std::uint32_t> specs;
    for (const std::string& stem : stems) {
        specs.push_back(id_of(ledger, stem));
    }
    const SpecGraph graph(ledger.database());
    return TellingApart(ledger.database(), graph).words_of(specs);
}

/// "depth package: change", with the beginnings of stems for hashes.
Lines changes(GraphLedger& ledger, const std::string& from, const std::string& to) {
    Lines lines;
    for (const auto& row :
         changes_between_specs(ledger.database(), hash_of(from), hash_of(to)).rows) {
        lines.push_back(fmt::format("{} {}: {}{}{}", to_text(row[0]), to_text(row[1]),
                                    to_text(row[2]), is_null(row[3]) ? ", none before" : "",
                                    is_null(row[4]) ? ", none after" : ""));
    }
    return lines;
}

Diff compare(GraphLedger& ledger, const Arguments& filters = {}) {
    return compare_snapshots(ledger.database(), Catalog(), "develop@0", "develop@1", filters);
}

/// "zlib 1.0 1 2": package, version, builds, needed_by.
Lines gone(const Diff& diff) {
    Lines lines;
    for (const auto& row : diff.needed_gone.rows) {
        lines.push_back(fmt::format("{} {} {} {}", to_text(row[0]), to_text(row[1]),
                                    to_text(row[2]), to_text(row[3])));
    }
    return lines;
}

void add_programs(GraphLedger& ledger) {
    ledger.add({"zlib", "zlib"}).add({"glibc", "glibc"});
    ledger.add({"gmake", "gmake", {{"zlib"}}});
    ledger.add({"curl", "curl", {{"zlib"}, {"gmake", "build"}}});
    ledger.add({"app", "app", {{"curl", "run"}, {"glibc"}}});
}

}  // namespace

TEST_CASE("All that differs between two builds is listed, the nearest first") {
    GraphLedger ledger;
    ledger.add({"zlib1", "zlib"}).add({.stem = "zlib2", .package = "zlib", .version = "1.1"});
    ledger.add({"same", "cmake"}).add({"mpi", "mpich", {{"zlib1"}}});
    ledger.add({"lib1", "lib", {{"zlib1"}}}).add({"lib2", "lib", {{"zlib2"}}});
    ledger.add({"app1", "app", {{"lib1"}, {"mpi"}, {"same"}}});
    ledger.add({"app2", "app", {{"lib2"}, {"same"}}});
    CHECK(changes(ledger, "app1", "app2") ==
          Lines{"0 app: dependencies: lib, mpich", "1 mpich: only in the first, none after",
                "1 lib: dependencies: zlib", "2 zlib: version: 1.0 -> 1.1"});
    CHECK(changes(ledger, "app2", "app1").at(1) == "1 mpich: only in the second, none before");
    CHECK(changes(ledger, "app1", "app1").empty());
    // Of several builds of a package each is compared with the one that is nearest to it.
    ledger.add({.stem = "zlib3", .package = "zlib", .version = "1.1", .recipe = "r2"});
    ledger.add({"two", "app", {{"zlib1"}, {"zlib2", "build"}}});
    ledger.add({"three", "app", {{"zlib1", "build"}, {"zlib3"}}});
    CHECK(changes(ledger, "two", "three").back() == "1 zlib: recipe");
}

TEST_CASE("Builds that look the same are told apart by the nearest dependency that differs") {
    GraphLedger ledger;
    ledger.add({"zlib1", "zlib"}).add({.stem = "zlib2", .package = "zlib", .version = "1.1"});
    ledger.add({"lib1", "lib", {{"zlib1"}}}).add({"lib2", "lib", {{"zlib2"}}});
    ledger.add({.stem = "lib3", .package = "lib", .edges = {{"zlib2"}}, .variants = "~shared"});
    for (const std::string number : {"1", "2", "3"}) {
        ledger.add({"app" + number, "app", {{"lib" + number}}});
    }
    CHECK(told_apart(ledger, {"app1", "app2"}) == Lines{"^zlib@1.0", "^zlib@1.1"});
    // The option of lib tells the third apart, and zlib the others.
    CHECK(told_apart(ledger, {"app1", "app2", "app3"}) ==
          Lines{"^lib +shared; ^zlib@1.0", "^lib +shared; ^zlib@1.1", "^lib ~shared"});
    CHECK(told_apart(ledger, {"app1", "app1"}) == Lines{"", ""});
}

TEST_CASE("Builds are told apart by themselves, by what one lacks and by how they need it") {
    GraphLedger ledger;
    ledger.add({"zlib", "zlib"}).add({"a", "app", {{"zlib"}}});
    ledger.add({.stem = "recipe", .package = "app", .edges = {{"zlib"}}, .recipe = "r2"});
    ledger.add({"alone", "app"}).add({"builds", "app", {{"zlib", "build"}}});
    ledger.add({.stem = "page", .package = "app", .is_described = false});
    CHECK(told_apart(ledger, {"a", "recipe"}) == Lines{"recipe r1", "recipe r2"});
    CHECK(told_apart(ledger, {"a", "alone"}) == Lines{"^zlib", "no zlib"});
    CHECK(told_apart(ledger, {"a", "builds"}) == Lines{"zlib for link", "zlib for build"});
}

TEST_CASE("Thirty builds are told apart") {
    GraphLedger ledger;
    Lines stems;
    for (int i = 0; i < 30; ++i) {
        const std::string number = std::to_string(i);
        ledger.add({.stem = "zlib" + number, .package = "zlib", .version = "1." + number});
        ledger.add({"lib" + number, "lib", {{"zlib" + number}}});
        ledger.add({"app" + number, "app", {{"lib" + number}}});
        stems.push_back("app" + number);
    }
    const Lines words = told_apart(ledger, stems);
    for (int i = 0; i < 30; ++i) {
        CHECK(words.at(i) == fmt::format("^zlib@1.{}", i));
    }
}

TEST_CASE("diff counts the builds that need what is gone to link or to run, directly or not") {
    Filled<GraphLedger, add_programs> ledger;
    ledger.take({{"zlib:e4s", "glibc:ml", "gmake", "curl", "app"}, {"curl", "app"}});
    const Diff diff = compare(ledger);
    CHECK(gone(diff) == Lines{"zlib 1.0 1 2", "glibc 1.0 1 1"});
    CHECK(sentence_of_gone(diff) ==
          "Gone, and still needed: zlib 1.0 by 2 builds and glibc 1.0 by 1 build.");
    CHECK(gone(compare(ledger, {{"package", "gl*"}})) == Lines{"glibc 1.0 1 1"});
    CHECK(gone(compare(ledger, {{"stack", "e4s"}})) == Lines{"zlib 1.0 1 2"});
}

TEST_CASE("diff says nothing of what is gone together with all that needs it") {
    Filled<GraphLedger, add_programs> ledger;
    ledger.take({{"zlib", "gmake", "curl", "app", "glibc"}, {"glibc"}});
    CHECK(gone(compare(ledger)).empty());
    CHECK_FALSE(sentence_of_gone(compare(ledger)));
}

TEST_CASE("Several builds of one version that are gone are one row") {
    GraphLedger ledger;
    ledger.add({"za", "zlib"})
        .add({"zb", "zlib", {}, "1.0", "zen3"})
        .add({"zc", "zlib", {}, "2.0"});
    ledger.add({"ca", "curl", {{"za"}}}).add({"cb", "curl", {{"za"}, {"zb"}, {"zc"}}});
    ledger.take({{"za", "zb", "zc", "ca", "cb"}, {"ca", "cb"}});
    CHECK(gone(compare(ledger)) == Lines{"zlib 1.0 2 2", "zlib 2.0 1 1"});
}

}  // namespace told_apart_test
