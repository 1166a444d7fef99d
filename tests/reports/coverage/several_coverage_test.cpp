#include "reports/questions/coverage/coverage.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "schema/ledger/names/snapshot.hpp"
#include "schema/specs/lists/spec_list.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_ledger.hpp"

namespace several_coverage_test {

using namespace cacheledger;
using Lines = std::vector<std::string>;

namespace {

std::vector<NeededBuild> builds_of(const std::vector<std::vector<std::size_t>>& files) {
    std::vector<NeededBuild> needed;
    needed.reserve(files.size());
    for (const auto& one : files) {
        needed.push_back({"tool", fmt::format("{:032}", needed.size()), Value(), one});
    }
    return needed;
}

WantedGraph wanted_of(GraphLedger& ledger, const std::string& name, const std::string& root) {
    auto& database = ledger.database();
    WantedGraph graph = wanted_of_snapshot(database, find_snapshot(database, "develop@0"));
    graph.name = name;
    std::erase_if(graph.roots, [&](const WantedRoot& one) {
        return graph.nodes[one.node].spec.package != root;
    });
    return graph;
}

}  // namespace

TEST_CASE("The file that needs the fewest builds more is next, and what is done counts once") {
    // File 0 needs three builds, 1 two of these, 2 one of its own and one of these, 3 none.
    const auto order = order_of_files(4, builds_of({{0, 1}, {0, 1, 2}, {0}, {2}}));
    Lines lines;
    for (const ServedFile& one : order) {
        lines.push_back(fmt::format("{}: {} {}", one.file, one.builds, one.builds_done));
    }
    CHECK(lines == Lines{"3: 0 0", "1: 2 2", "0: 1 3", "2: 1 4"});
}

TEST_CASE("Of several lock files the builds are told that most of them wait for") {
    GraphLedger ledger;
    ledger.add({"zlib", "zlib"}).add({"hdf5", "hdf5", {{"zlib"}}});
    ledger.add({"curl", "curl", {{"zlib"}}}).add({"app", "app", {{"curl"}}});
    ledger.take({{"zlib", "hdf5", "curl", "app"}, {}});
    auto& database = ledger.database();
    const AskedCache cache{database, find_snapshot(database, "develop@1"), std::nullopt};
    const std::vector<WantedInput> inputs = {wanted_of(ledger, "one", "app"),
                                             wanted_of(ledger, "two", "curl"),
                                             wanted_of(ledger, "three", "hdf5")};
    const SeveralCoverage found = cover_several(cache, inputs, false);
    Lines needed;
    for (const NeededBuild& one : found.needed) {
        needed.push_back(fmt::format("{} {}", one.package, one.files.size()));
    }
    CHECK(needed == Lines{"zlib 3", "curl 2", "app 1", "hdf5 1"});
    CHECK(found.needed[1].files == std::vector<std::size_t>{0, 1});
    std::ostringstream out;
    write_document(document_of(found, {}), Format::table, {}, out);
    CHECK(out.str().find("To build first: 4 builds for 3 of 3 files") != std::string::npos);
    CHECK(out.str().find("3 of 3") != std::string::npos);
    CHECK(out.str().find("2 of 3") != std::string::npos);
}

TEST_CASE("Of several caches, lists count beside lock files, and without any") {
    GraphLedger ledger;
    ledger.add({"zlib", "zlib"}).add({"hdf5", "hdf5", {{"zlib"}}});
    ledger.add({"curl", "curl"}).add({"app", "app"});
    ledger.take({{"zlib", "hdf5"}, {"zlib", "curl"}, {"hdf5", "curl", "app"}});
    auto& database = ledger.database();
    const AskedCache cache{database,
                           find_snapshot(database, "develop@1"),
                           std::nullopt,
                           {find_snapshot(database, "develop@2")}};
    const WantedInput one = WantedList{"one", read_spec_list("curl\napp\ncmake\n", "one")};
    const WantedInput two = WantedList{"two", read_spec_list("hdf5\nzlib\n", "two")};
    const auto shares = [](const SeveralCoverage& found) {
        Lines lines;
        for (const CacheShare& share : found.total.caches) {
            lines.push_back(fmt::format("{} {} {} {}", share.snapshot, share.covered, share.adds,
                                        share.to_build.value_or(-1)));
        }
        return lines;
    };
    // The lists: the first cache has curl and zlib; the second curl, app and hdf5.
    const SeveralCoverage lists = cover_several(cache, {one, two}, false);
    CHECK(shares(lists) == Lines{"develop@1 2 2 -1", "develop@2 3 2 -1"});
    CHECK(lists.total.runtime.covered == 4);
    // The file wants hdf5 and zlib: the first cache has zlib, the second hdf5.
    const SeveralCoverage all =
        cover_several(cache, {one, wanted_of(ledger, "file", "hdf5"), two}, false);
    CHECK(shares(all) == Lines{"develop@1 3 3 1", "develop@2 4 3 0"});
    CHECK(all.total.runtime.covered == 6);

    std::ostringstream out;
    write_document(document_of(all, {}), Format::json, {}, out);
    for (const std::string row :
         {R"({"wanted": "one", "line": 2, "spec": "app", "snapshot": "develop@2"})",
          R"({"wanted": "two", "line": 1, "spec": "hdf5", "snapshot": "develop@2"})"}) {
        CAPTURE(row, out.str());
        CHECK(out.str().find(row) != std::string::npos);
    }
    std::ostringstream screen;
    write_document(document_of(lists, {}), Format::table, {}, screen);
    CHECK(screen.str().find("Caches, in the order") != std::string::npos);
    CHECK(screen.str().find("What the later caches add") != std::string::npos);
}

}  // namespace several_coverage_test
