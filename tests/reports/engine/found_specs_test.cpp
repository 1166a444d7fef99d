#include "reports/questions/specs/found_specs.hpp"

#include "schema/ledger/names/snapshot.hpp"
#include "schema/specs/queries/spec_parser.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_ledger.hpp"
#include "tests/support/ledgers/shown.hpp"

namespace found_specs_test {

using namespace cacheledger;

namespace {

FoundSpecs found(GraphLedger& ledger, const std::string& typed) {
    auto& database = ledger.database();
    return find_specs(database, find_snapshot(database, "latest"),
                      {parse_spec(typed), std::nullopt, 9, true});
}

std::string shown(GraphLedger& ledger, const std::string& typed) {
    FoundSpecs specs = found(ledger, typed);
    return shown(document_of(specs));
}

}  // namespace

TEST_CASE("Builds that differ only in the flags of compilers are told apart") {
    GraphLedger ledger;
    ledger.add({.stem = "a", .package = "zlib", .flags = ""});
    ledger.add({.stem = "b", .package = "zlib", .flags = "cflags=-O2 -g"});
    ledger.add({.stem = "c", .package = "hdf5", .flags = "cflags=-O3"});
    ledger.add({.stem = "d", .package = "hdf5", .recipe = "r2", .flags = "cflags=-O3"});
    ledger.add({.stem = "e", .package = "cmake"});
    ledger.add({.stem = "f", .package = "cmake", .recipe = "r2"});
    ledger.take({{"a", "b", "c", "d", "e", "f"}});
    CHECK(shown(ledger, "zlib").find("cflags=-O2 -g") != std::string::npos);
    CHECK(shown(ledger, "hdf5")
              .find("all: hdf5@1.0 linux ubuntu24.04 x86_64_v3 (no compiler) "
                    "cflags=-O3 +shared") != std::string::npos);
    CHECK(shown(ledger, "cmake").find("flags") == std::string::npos);
    CHECK(shown(ledger, "zlib cflags=-g").find("cflags=-O2 -g") != std::string::npos);

    const FoundSpecs all = found(ledger, "zlib");
    CHECK(all.builds.columns.back() == "flags");
    CHECK(all.builds.rows.at(0).back() == Value(""));
    CHECK(all.builds.rows.at(1).back() == Value("cflags=-O2 -g"));
}

}  // namespace found_specs_test
