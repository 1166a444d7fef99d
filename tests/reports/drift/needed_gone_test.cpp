#include <fmt/format.h>

#include "reports/questions/diff/diff.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_ledger.hpp"

namespace needed_gone_test {

using namespace cacheledger;
using Lines = std::vector<std::string>;

namespace {

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

TEST_CASE("diff counts the builds that need what is gone to link or to run, directly or not") {
    GraphLedger ledger;
    add_programs(ledger);
    ledger.take({{"zlib:e4s", "glibc:ml", "gmake", "curl", "app"}, {"curl", "app"}});
    const Diff diff = compare(ledger);
    CHECK(gone(diff) == Lines{"zlib 1.0 1 2", "glibc 1.0 1 1"});
    CHECK(sentence_of_gone(diff) ==
          "Gone, and still needed: zlib 1.0 by 2 builds and glibc 1.0 by 1 build.");
    CHECK(gone(compare(ledger, {{"package", "gl*"}})) == Lines{"glibc 1.0 1 1"});
    CHECK(gone(compare(ledger, {{"stack", "e4s"}})) == Lines{"zlib 1.0 1 2"});
}

TEST_CASE("diff says nothing of what is gone together with all that needs it") {
    GraphLedger ledger;
    add_programs(ledger);
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

}  // namespace needed_gone_test
