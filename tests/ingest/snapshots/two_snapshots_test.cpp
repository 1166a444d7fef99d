#include <fmt/format.h>

#include <random>
#include <string>
#include <vector>

#include "ingest/runs/files/graph_source.hpp"
#include "ingest/snapshots/forget.hpp"
#include "ingest/sources/inputs/inputs.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/check/check.hpp"
#include "schema/ledger/file/ledger_copy.hpp"
#include "schema/sqlite/transactions/ledger_state.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_fixture.hpp"
#include "tests/support/ledgers/graph_text.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"
#include "tests/support/repositories/history_ledger.hpp"

namespace two_snapshots_test {

// Runs that make two snapshots of one series: dated tags with one prefix. A state whose files are
// those of the snapshot before is not read, and gives what reading gives.
using namespace cacheledger;
using graph_text::index;
using graph_text::NodeText;

namespace {

const std::string second = "develop-2025-03-02";
const std::string ninth = "develop-2025-03-09";

class Folder {
  public:
    void write(const std::string& name, const std::string& text) {
        ledger_.folder().write("next/" + name, text);
    }
    void load(bool partial = false) {
        ledger_.ingest("2025-01-01", {(ledger_.folder().path() / "next").string()},
                       {.partial = partial, .keep_going = true, .replace = true});
        CHECK(find_problems(ledger_.database(), 10) == Lines{});
    }
    Lines specs() {
        return ledger_.rows(
            "SELECT snapshot, package, substr(hash, 1, 1) FROM specs ORDER BY 1, 2, 3");
    }
    TempLedger& ledger() { return ledger_; }

  private:
    TempLedger ledger_;
};

const std::string count_states = "SELECT count(*) FROM ledger_state";

PrintedPage page(const std::string& stem) {
    return {"zlib", {{.hash = hash_of(stem)}}};
}

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
    return {.taken_at = parse_moment(fmt::format("2025-03-{:02}", day)).value()};
}

auto tables(TempLedger& ledger) {
    auto tables = ledger.tables_without_ids();
    tables.erase("snapshot_file");
    return tables;
}

}  // namespace

TEST_CASE("Two snapshots of a series that are replaced in one run count their specs right") {
    Folder folder;
    folder.write("2.md", page_text("zlib", {"a"}, second));
    folder.write("9.md", page_text("zlib", {"a"}, ninth));
    folder.load();
    folder.write("2.md", page_text("zlib", {"b", "c"}, second));
    folder.write("3.md", page_text("hwloc", {"h"}, second));
    folder.write("9.md", page_text("zlib", {"b", "c", "d"}, ninth));
    folder.load();
    CHECK(folder.ledger().rows("SELECT name, packages, specs FROM snapshots ORDER BY 1") ==
          Lines{second + "|2|3", ninth + "|1|3"});
}

TEST_CASE("What a snapshot leaves unobserved is as in the one before it of the same run") {
    Folder folder;
    folder.write("0.md", page_text("hwloc", {"h"}, "develop-2025-02-23"));
    folder.write("1.md", page_text("zlib", {"z"}, "develop-2025-02-23"));
    folder.load();
    std::filesystem::remove_all(folder.ledger().folder().path() / "next");
    Lines expected{"develop-2025-02-23|hwloc|h", "develop-2025-02-23|zlib|z"};
    folder.write("2.md", page_text("zlib", {"a"}, second));
    folder.write("8.md", page_text("mpich", {"m"}, ninth));
    SECTION("of a package that is gone in that one") {
        folder.write("9.md", broken_page("hwloc", ninth));
        folder.load();
        CHECK(folder.specs() ==
              Lines{expected[0], expected[1], second + "|zlib|a", ninth + "|mpich|m"});
    }
    SECTION("of a package that is new in that one") {
        folder.write("3.md", page_text("abc", {"c"}, second));
        folder.write("9.md", broken_page("abc", ninth));
        folder.load();
        CHECK(folder.specs() == Lines{expected[0], expected[1], second + "|abc|c",
                                      second + "|zlib|a", ninth + "|abc|c", ninth + "|mpich|m"});
    }
    SECTION("of all packages that it was not given") {
        folder.load(true);
        CHECK(folder.specs() == Lines{expected[0], expected[1], second + "|hwloc|h",
                                      second + "|zlib|a", ninth + "|hwloc|h", ninth + "|mpich|m",
                                      ninth + "|zlib|a"});
    }
    SECTION("whichever is read first") {
        folder.write("1.md", page_text("zlib", {"b"}, ninth));
        folder.load(true);
        CHECK(folder.specs() == Lines{expected[0], expected[1], second + "|hwloc|h",
                                      second + "|zlib|a", ninth + "|hwloc|h", ninth + "|mpich|m",
                                      ninth + "|zlib|b"});
    }
}

TEST_CASE("Pages that are broken since make the same snapshot another one") {
    Folder folder;
    folder.write("2.md", page_text("zlib", {"a"}, second));
    folder.load();
    const auto broken = [&] { return folder.ledger().rows("SELECT package, kind FROM findings"); };
    SECTION("a broken page of a package that it did not have") {
        folder.write("3.md", broken_page("hwloc", second));
        folder.load();
        CHECK(broken() == Lines{"hwloc|page-unreadable"});
    }
    SECTION("a second page of a package") {
        folder.write("3.md", page_text("zlib", {"b"}, second));
        folder.load();
        CHECK(broken() == Lines{"zlib|page-duplicate"});
    }
    const auto tables = folder.ledger().tables();
    folder.load();
    CHECK(folder.ledger().tables() == tables);
}

TEST_CASE("A ledger has an identity of its own, and keeps it") {
    TempLedger one;
    TempLedger other;
    const LedgerState empty = newest_state(one.database());
    CHECK(empty.ledger_id.size() == 32);
    CHECK(empty.token == empty.ledger_id);
    CHECK(empty.ledger_id != newest_state(other.database()).ledger_id);
    one.take("2025-03-01", {page("a")});
    CHECK(newest_state(one.database()).ledger_id == empty.ledger_id);
}

TEST_CASE("Each transaction that changes a ledger makes a new state of it") {
    TempLedger ledger;
    const LedgerState before = newest_state(ledger.database());
    ledger.take("2025-03-01", {page("a")});
    ledger.take("2025-03-02", {page("b")});
    ledger.take("2025-03-01", {page("c")}, {.replace = true});
    forget(ledger.database(), "latest");
    CHECK(ledger.value(count_states) == "5");
    CHECK(has_state(ledger.database(), before));
    TempLedger other;
    CHECK_FALSE(has_state(other.database(), before));
}

TEST_CASE("A transaction that changes nothing makes no state, one that changes no snapshot does") {
    TempLedger ledger;
    MadeInput input;
    input.nodes = {{"zlib", hash_of("a")}};
    input.nodes[0].recipe.package_hash = std::nullopt;
    input.files = {{"root", {hash_of("a")}}};
    take_graph(ledger, "2025-03-01", input);
    take_graph(ledger, "2025-03-01", input);
    CHECK(ledger.value(count_states) == "2");
    input.nodes[0].recipe.package_hash = "known";
    input.nodes[0].text = "second";
    take_graph(ledger, "2025-03-01", input);
    CHECK(ledger.value(count_states) == "3");
}

TEST_CASE("The copy that a site has is of no state") {
    TempLedger ledger;
    ledger.take("2025-03-01", {page("a")});
    SQLite::Database whole = copy_ledger(ledger.database(), ledger.folder().path() / "whole.db");
    SQLite::Database copy = begin_copy_for_readers(ledger.folder().path() / "copy.db");
    copy_for_readers(whole, copy);
    CHECK(newest_state(copy) == LedgerState{});
}

TEST_CASE("The copy for other tools has what older SQLites read") {
    TempLedger ledger;
    ledger.take("2025-03-01", {page("a")});
    SQLite::Database copy = begin_copy_for_readers(ledger.folder().path() / "copy.db");
    copy_for_tools(ledger.database(), copy);
    const auto number = [&](const char* sql) { return copy.execAndGet(sql).getInt(); };
    CHECK(number("SELECT count(*) FROM sqlite_schema WHERE sql GLOB '*STRICT*' "
                 "OR sql GLOB '*GENERATED*'") == 0);
    CHECK(number("SELECT count(*) FROM sqlite_schema WHERE sql LIKE '%) WITHOUT ROWID'") > 0);
    CHECK(number("SELECT count(*) FROM sqlite_schema WHERE name IN ('stack_drift', 'spec_drift', "
                 "'spec_distances')") == 0);
    CHECK(number("SELECT count(*) FROM stack WHERE is_root IS NULL") == 0);
    CHECK(std::to_string(number("SELECT count(*) FROM specs")) ==
          ledger.value("SELECT count(*) FROM specs"));
    CHECK(newest_state(copy) == newest_state(ledger.database()));
}

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

}  // namespace two_snapshots_test
