#include "reports/questions/specs/found_specs.hpp"

#include "reports/engine/catalog/catalog.hpp"
#include "reports/questions/coverage/coverage.hpp"
#include "reports/questions/history/history.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "schema/specs/lists/spec_list.hpp"
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

TEST_CASE("Of several caches it is said which one has each build") {
    GraphLedger ledger;
    ledger.add({.stem = "a", .package = "zlib", .flags = ""});
    ledger.add({.stem = "b", .package = "zlib", .flags = "cflags=-O2"});
    ledger.add({.stem = "c", .package = "zlib", .flags = "cflags=-O3"});
    ledger.take({{"a", "b"}, {"b", "c"}});
    auto& database = ledger.database();
    FoundSpecs both = find_specs(
        database, {find_snapshot(database, "develop@0"), find_snapshot(database, "develop@1")},
        {parse_spec("zlib"), std::nullopt, 9, true});
    CHECK(both.all == 3);
    CHECK(both.snapshot == "develop@0, develop@1");
    CHECK(both.builds.columns.back() == "caches");
    std::vector<std::string> caches;
    for (const auto& row : both.builds.rows) {
        caches.push_back(to_text(row.back()));
    }
    CHECK(caches == std::vector<std::string>{"develop@0", "develop@0,develop@1", "develop@1"});
    CHECK(shown(document_of(both)).find("develop@0,develop@1") != std::string::npos);
}

TEST_CASE("An external spec is shown as one, and is no build") {
    GraphLedger ledger;
    GraphNode ssl{.stem = "ssl", .package = "openssl"};
    ssl.external_path = "/usr";
    ledger.add(ssl);
    ledger.add({.stem = "a", .package = "zlib"}).add({.stem = "b", .package = "zlib-ng"});
    ledger.take({{"ssl", "a", "b"}}, "install");
    CHECK(found(ledger, "openssl").num_builds() == 0);
    const std::string only = shown(ledger, "openssl");
    CHECK(only.starts_with("No build matches openssl at develop@0: only 1 external spec\n"));
    CHECK(only.find("/usr") != std::string::npos);
    const std::string all = shown(ledger, "target=x86_64_v3");
    CHECK(all.starts_with("2 builds match target=x86_64_v3 at develop@0, and 1 external spec\n"));
    CHECK(all.find("external") < all.find("/usr"));
    CHECK(shown(ledger, "zlib").find("external spec") == std::string::npos);

    auto& database = ledger.database();
    const FoundSpecs first = find_specs(database, find_snapshot(database, "latest"),
                                        {parse_spec("os=ubuntu24.04"), std::nullopt, 1, true});
    CHECK(first.all == 3);
    CHECK(first.external == 1);
}

TEST_CASE("Of a package that is only external that is said, and of others that they are needed") {
    GraphLedger ledger;
    GraphNode glibc{.stem = "glibc", .package = "glibc"};
    glibc.external_path = "/usr";
    ledger.add(glibc).add({"cmake", "cmake"});
    ledger.add({"app", "app", {{"glibc"}, {"cmake", "build"}}});
    ledger.take({{"app"}});
    CHECK(shown(ledger, "glibc").find("it is in no snapshot: it is external.") !=
          std::string::npos);
    CHECK(shown(ledger, "cmake").find("it is in no snapshot: other builds only depend on it.") !=
          std::string::npos);
    const auto remarks = [&](const std::string& package) {
        AskedHistory asked;
        asked.query = parse_spec(package);
        return find_history(ledger.database(), Catalog(), asked).remarks;
    };
    CHECK(remarks("glibc") == std::vector<std::string>{"It is in no snapshot: it is external."});
    CHECK(remarks("cmake") ==
          std::vector<std::string>{"It is in no snapshot: other builds only depend on it."});
}

TEST_CASE("Why nobody knows whether builds match is said as it is") {
    GraphLedger ledger;
    ledger.add({.stem = "new", .package = "zlib", .target = "zen99"});
    GraphNode page{.stem = "page", .package = "zlib"};
    page.is_described = false;
    ledger.add(page);
    ledger.take({{"new", "page"}});
    CHECK(shown(ledger, "zlib target=zen2:")
              .find("1 more build may match: what the target zen99 runs is not known.") !=
          std::string::npos);
    const std::string pages = "pages do not list dependencies, flags and patches";
    CHECK(shown(ledger, "zlib ^gmake").find("1 more build may match: " + pages + ".") !=
          std::string::npos);
    auto& database = ledger.database();
    const auto remarks = [&](const std::string& list) {
        return cover_list(database, find_snapshot(database, "latest"), "list",
                          read_spec_list(list, "list"))
            .remarks;
    };
    CHECK(
        remarks("zlib target=zen2:\n") ==
        std::vector<std::string>{"1 line may be there: what the target zen99 runs is not known."});
    CHECK(remarks("zlib ^gmake\nzlib target=zen2:\n") ==
          std::vector<std::string>{"2 lines may be there: " + pages +
                                   "; what the target zen99 runs is not known."});
}

}  // namespace found_specs_test
