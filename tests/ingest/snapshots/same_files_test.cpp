#include <fmt/format.h>

#include <random>
#include <string>
#include <vector>

#include "ingest/runs/files/graph_source.hpp"
#include "ingest/snapshots/forget.hpp"
#include "ingest/sources/inputs/inputs.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/check/check.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_fixture.hpp"
#include "tests/support/ledgers/graph_text.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace same_files_test {

// A state whose files are those of the snapshot before is not read, and gives what reading gives.
using namespace cacheledger;
using graph_text::index;
using graph_text::NodeText;
using Lines = std::vector<std::string>;

namespace {

const std::string a = hash_of("a"), b = hash_of("b"), c = hash_of("c");
const std::string zlib = NodeText{a}.text(5);
const std::string hdf5 = NodeText{b, "hdf5", "1.14", {{"zlib", a}}}.text(5);

std::string with_unknown_key() {
    NodeText node{c, "bzip2"};
    node.more = R"("colour":"red",)";
    return index("8", {{c, node.text(5)}});
}

struct Loaded {
    IngestResult result;
    std::string problem;
};

Loaded load(TempLedger& ledger, const std::vector<std::string>& arguments, const std::string& tag,
            IngestOptions options) {
    const Inputs inputs = find_inputs({.arguments = arguments});
    try {
        return {ingest(ledger.database(), *open_graphs(inputs, tag, "a test"), options,
                       [](std::size_t, std::size_t) {}),
                ""};
    } catch (const InputError& error) {
        return {{}, error.what()};
    }
}

IngestOptions at(int day) {
    IngestOptions options;
    options.taken_at = parse_moment(fmt::format("2025-03-{:02}", day)).value();
    return options;
}

auto tables(TempLedger& ledger) {
    auto tables = ledger.tables_without_ids();
    tables.erase("snapshot_file");
    return tables;
}

}  // namespace

TEST_CASE("Files that are those of the snapshot before are not read") {
    TempFolder folder;
    const std::string file =
        folder.write("index.json", index("8", {{a, zlib}, {b, hdf5}})).string();
    TempLedger ledger;
    load(ledger, {file}, "develop", at(1));
    const auto again = load(ledger, {file}, "develop", at(2)).result;
    CHECK(again.loaded == Lines{"develop@2025-03-02T00:00:00Z"});
    CHECK(again.pages == 1);
    CHECK(again.specs == 2);
    CHECK(load(ledger, {file}, "develop", at(2)).result.unchanged == again.loaded);
    IngestOptions if_changed = at(3);
    if_changed.if_changed = true;
    CHECK(load(ledger, {file}, "develop", if_changed).result.unchanged == again.loaded);
    CHECK(ledger.rows("SELECT DISTINCT size, sha256 FROM snapshot_file").size() == 1);
    // Were it read, the node would be described again.
    ledger.database().exec("DELETE FROM dependency; DELETE FROM node");
    CHECK(load(ledger, {file}, "develop", at(4)).result.new_nodes == 0);
    // In another stack it is another state.
    CHECK(load(ledger, {"ml=" + file}, "develop", at(5)).result.new_nodes == 2);
    CHECK(ledger.rows("SELECT DISTINCT stacks FROM specs WHERE snapshot LIKE '%03-05%'") ==
          Lines{"ml"});
}

TEST_CASE("A file that is not read gives what reading it gives") {
    std::mt19937 random(1);
    const auto below = [&](int bound) {
        return std::uniform_int_distribution(0, bound - 1)(random);
    };
    TempFolder folder;
    const std::vector<std::string> files = {
        folder.write("one.json", index("8", {{a, zlib}, {b, hdf5}})),
        folder.write("two.json", index("8", {{a, zlib}})),
        folder.write("part.json", index("8", {{b, hdf5}})),
        folder.write("odd.json", with_unknown_key()),
        folder.write("other.json", index("8", {{a, NodeText{a, "zlib", "2"}.text(5)}}))};
    for (unsigned seed = 1; seed <= 40; ++seed) {
        INFO("seed " << seed);
        random.seed(seed);
        TempLedger reading, ledger;
        std::vector<std::string> arguments;
        for (int step = 0; step < 8; ++step) {
            if (step == 0 || below(2) == 0) {
                arguments = {files[static_cast<std::size_t>(below(5))]};
                if (below(2) == 0) {
                    arguments.push_back("ml=" + files[static_cast<std::size_t>(below(5))]);
                }
            }
            IngestOptions options = at(1 + step + below(2) * below(4));
            const std::string tag = below(3) == 0   ? fmt::format("develop-2025-03-{:02}", 1 + step)
                                    : below(3) == 0 ? "other"
                                                    : "develop";
            options.replace = below(2) == 0;
            options.if_changed = below(3) == 0;
            reading.database().exec("DELETE FROM snapshot_file");
            const Loaded one = load(reading, arguments, tag, options);
            const Loaded other = load(ledger, arguments, tag, options);
            CHECK(one.problem == other.problem);
            CHECK(one.result.loaded == other.result.loaded);
            CHECK(one.result.unchanged == other.result.unchanged);
            CHECK(one.result.specs == other.result.specs);
            if (below(4) == 0) {
                forget(reading.database(), "latest");
                forget(ledger.database(), "latest");
            }
            REQUIRE(tables(reading) == tables(ledger));
            REQUIRE(find_problems(ledger.database(), 10) == Lines{});
        }
    }
}

}  // namespace same_files_test
