#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "ingest/runs/files/graph_source.hpp"
#include "ingest/snapshots/forget.hpp"
#include "ingest/sources/inputs/inputs.hpp"
#include "schema/ledger/check/check.hpp"
#include "schema/ledger/search/matching_specs.hpp"
#include "schema/ledger/search/short_hash.hpp"
#include "schema/specs/queries/asked_spec.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_fixture.hpp"
#include "tests/support/ledgers/graph_text.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace graph_finding_test {

// Findings about the records of indexes: each snapshot has its own, whatever the ledger knew.
// The hashes by which lock files of versions 2 and 3 call specs.
using namespace cacheledger;
using graph_text::index;
using graph_text::lock;
using graph_text::NodeText;

namespace {

const std::string a = hash_of("a"), b = hash_of("b"), c = hash_of("c");

void load(TempLedger& ledger, const std::string& moment, const std::string& text) {
    load_graph(ledger, {.taken_at = parse_moment(moment).value()}, read_into("develop", text));
    CHECK(find_problems(ledger.database(), 10) == Lines{});
}

Lines findings(TempLedger& ledger) {
    return ledger.rows("SELECT snapshot, path, kind, detail FROM findings ORDER BY 1, 3, 4");
}

const std::string zlib = NodeText{a}.text(5);
const std::string hdf5 = NodeText{b, "hdf5", "1.14", {{"zlib", a}}}.text(5);

// What each moment has, and its findings.
const std::map<std::string, std::string> files = [] {
    NodeText coloured{a};
    coloured.more = R"("colour":"red",)";
    return std::map<std::string, std::string>{
        {"2025-03-01", index("8", {{a, zlib}, {b, hdf5}})},
        {"2025-03-02", index("8", {{b, hdf5}})},
        {"2025-03-03", index("8", {{a, coloured.text(5)}, {b, hdf5}})},
        {"2025-03-04", index("8", {{a, coloured.text(5)}})}};
}();
const Lines expected = {
    "develop@2025-03-02T00:00:00Z|file|dependency-missing|1 dependency is not in the file, the "
    "first: zlib " +
        a + " of hdf5 " + b,
    "develop@2025-03-03T00:00:00Z|file|unknown-field|'colour' is not known and not stored, 1 times",
    "develop@2025-03-04T00:00:00Z|file|unknown-field|'colour' is not known and not stored, 1 "
    "times"};

const std::string hdf5_hash = hash_of("hdf"), zlib_hash = hash_of("zlib"),
                  old_cmake = hash_of("cmakea"), new_cmake = hash_of("cmakeb");
const std::string first_build = hash_of("xaa"), second_build = hash_of("xab");

// hdf5 under a build hash, built with a cmake.
std::string lock_of(const std::string& key, const std::string& cmake) {
    const NodeText root{
        hdf5_hash, "hdf5", "1.14", {{"zlib", zlib_hash, {"link"}}, {"cmake", cmake, {"build"}}}};
    return lock(3, {{key, "hdf5"}},
                {{key, root.text(2)},
                 {zlib_hash, NodeText{zlib_hash}.text(2)},
                 {cmake, NodeText{cmake, "cmake", "3"}.text(2)}});
}

void load_lock(TempLedger& ledger, const std::string& text, const std::string& tag) {
    const std::string file = ledger.folder().write(tag + ".lock", text).string();
    const Inputs inputs = find_inputs({.arguments = {file}});
    ingest(ledger.database(), *open_graphs(inputs, tag, "a test"),
           {.taken_at = parse_moment("2025-03-01").value()}, [](std::size_t, std::size_t) {});
    CHECK(find_problems(ledger.database(), 10) == Lines{});
}

Lines found(TempLedger& ledger, const std::string& hash) {
    Lines hashes;
    for (const std::int64_t id :
         matching_specs(ledger.database(), read_asked_spec("/" + hash)).specs) {
        hashes.push_back(ledger.value(fmt::format("SELECT hash FROM spec WHERE spec_id = {}", id)));
    }
    return hashes;
}

}  // namespace

TEST_CASE("Each snapshot has the findings of its records, in any order of loading") {
    std::vector<std::string> moments;
    for (const auto& [moment, text] : files) {
        moments.push_back(moment);
    }
    do {
        TempLedger ledger;
        for (const std::string& moment : moments) {
            load(ledger, moment, files.at(moment));
        }
        CHECK(findings(ledger) == expected);
    } while (std::next_permutation(moments.begin(), moments.end()));
}

TEST_CASE("A snapshot that is forgotten takes no finding of others with it") {
    TempLedger ledger;
    load(ledger, "2025-02-01", files.at("2025-03-03"));
    load(ledger, "2025-02-02", files.at("2025-03-02"));
    for (const auto& [moment, text] : files) {
        load(ledger, moment, text);
    }
    forget(ledger.database(), "develop@2025-02-01T00:00:00Z");
    forget(ledger.database(), "develop@2025-02-02T00:00:00Z");
    CHECK(findings(ledger) == expected);
}

TEST_CASE("A dependency that no file describes is found in any ledger, large or small") {
    // hwloc and 30 that need it.
    const std::string hwloc = NodeText{c, "hwloc"}.text(5);
    std::vector<graph_text::Keyed> needing;
    for (char letter = 'b'; letter <= 'z'; ++letter) {
        const std::string hash = hash_of(std::string("q") + letter);
        needing.emplace_back(hash, NodeText{hash, "p", "1", {{"hwloc", c}}}.text(5));
    }
    auto all = needing;
    all.emplace_back(c, hwloc);
    TempLedger ledger;
    load(ledger, "2025-03-01", index("8", all));
    CHECK(findings(ledger).empty());
    const auto first_of = [&](const std::vector<graph_text::Keyed>& specs) {
        return fmt::format(
            "dependency-missing|{} dependencies are not in the file, the first: "
            "hwloc {} of p {}",
            specs.size(), c, specs.front().first);
    };
    load(ledger, "2025-03-02", index("8", needing));
    const std::vector<graph_text::Keyed> few(needing.begin(), needing.begin() + 2);
    load(ledger, "2025-03-03", index("8", few));
    CHECK(ledger.rows("SELECT kind, detail FROM findings ORDER BY snapshot") ==
          Lines{first_of(needing), first_of(few)});
}

TEST_CASE("A ledger with hashes that two packages claim finds missing what a new ledger does") {
    constexpr unsigned rounds = 6, days = 8, nodes = 20;
    const unsigned first_seed = std::random_device()();
    for (unsigned seed = first_seed; seed < first_seed + rounds; ++seed) {
        INFO("seed " << seed);
        std::mt19937 random(seed);
        const auto is_one_of = [&](unsigned number) { return random() % number == 0; };
        std::vector<NodeText> all;
        for (char letter = 'a'; all.size() < nodes; ++letter) {
            NodeText node{hash_of(std::string("q") + letter), fmt::format("p{}", letter)};
            for (const NodeText& child : all) {
                if (is_one_of(4)) {
                    node.dependencies.push_back({child.package, child.hash});
                }
            }
            all.push_back(node);
        }
        TempLedger ledger;
        for (unsigned day = 1; day <= days; ++day) {
            std::vector<graph_text::Keyed> records;
            for (NodeText node : all) {
                node.package += is_one_of(8) ? "-other" : "";
                if (!is_one_of(5)) {
                    records.emplace_back(node.hash, node.text(5));
                }
            }
            const std::string moment = fmt::format("2025-03-{:02}", day);
            TempLedger fresh;
            for (TempLedger* const each : {&ledger, &fresh}) {
                load(*each, moment, index("8", records));
            }
            const auto facts = [&](TempLedger& each) {
                const std::string of_day = " WHERE snapshot LIKE '%" + moment + "%'";
                Lines lines =
                    each.rows("SELECT hash, package FROM specs" + of_day + " ORDER BY hash");
                lines.push_back(fmt::format(
                    "{}",
                    fmt::join(
                        each.rows("SELECT substr(detail, 1, instr(detail, ',')) FROM findings" +
                                  of_day + " AND kind = 'dependency-missing'"),
                        "")));
                return lines;
            };
            CHECK(facts(ledger) == facts(fresh));
        }
    }
}

TEST_CASE("A compiler that a file lacks is filled in by a file that has it, in any order") {
    const graph_text::Keyed gcc{c, NodeText{c, "gcc", "13.2.0"}.text(5)};
    NodeText node{b, "hdf5", "1.14", {{"gcc", c, {"build"}, {"c"}}}};
    const std::string pruned = index("8", {{b, node.text(6)}});
    const std::string full = index("8", {{b, node.text(6)}, gcc});
    for (const bool is_pruned_first : {true, false}) {
        TempLedger ledger;
        load(ledger, "2025-03-01", is_pruned_first ? pruned : full);
        load(ledger, "2025-03-02", is_pruned_first ? full : pruned);
        CHECK(ledger.rows("SELECT DISTINCT compiler FROM specs WHERE package = 'hdf5'") ==
              Lines{"gcc@13.2.0"});
        CHECK(ledger.rows("SELECT compiler_from FROM node JOIN spec USING (spec_id) "
                          "WHERE hash = '" +
                          b + "'") == Lines{"edge"});
        // Once it is known, the text need not be read again, whichever file it is in.
        CHECK(ledger.value("SELECT count(*) FROM node WHERE read_again") == "0");
    }
}

TEST_CASE("A record that nothing cached needs says nothing, whatever the ledger has") {
    // zlib has another text in each of two files, is in the cache in none, and is needed in one.
    NodeText other{a};
    other.parameters = "{}";
    const std::string bzip2 = NodeText{c, "bzip2"}.text(5);
    const auto file = [](const graph_text::Keyed& cached, const std::string& zlib_text) {
        std::string text = index("8", {cached, {a, zlib_text}});
        const std::string mark = R"("in_buildcache":true)";
        return text.replace(text.rfind(mark), mark.size(), R"("in_buildcache":false)");
    };
    const std::string needing = file({b, hdf5}, zlib);
    const std::string other_text = file({c, bzip2}, other.text(5));
    const std::string third = index("8", {{c, bzip2}});
    Lines variants;
    for (const bool is_first : {true, false}) {
        TempLedger ledger;
        load(ledger, "2025-03-01", third);  // so that its node is not parsed again
        load(ledger, "2025-03-02", is_first ? needing : other_text);
        load(ledger, "2025-03-03", is_first ? other_text : needing);
        CHECK(findings(ledger).empty());
        variants.push_back(ledger.value("SELECT variants FROM looks WHERE package = 'zlib'"));
    }
    CHECK(variants[0] == variants[1]);
}

TEST_CASE("A dependency that is called by another name than its package is a finding each time") {
    const std::string text =
        index("8", {{a, zlib}, {b, NodeText{b, "hdf5", "1.14", {{"zlib-ng", a}}}.text(5)}});
    TempLedger ledger;
    load(ledger, "2025-03-01", text);
    load(ledger, "2025-03-02", text);
    const std::string detail = a + ": it is zlib, its dependent " + b + " calls it zlib-ng";
    CHECK(ledger.rows("SELECT kind, detail FROM findings") ==
          Lines{"hash-conflict|" + detail, "hash-conflict|" + detail});
    CHECK(ledger.rows("SELECT dependency FROM dependencies") == Lines{"zlib"});
}

TEST_CASE("A spec is found by the build hashes of lock files, in any order of loading") {
    const std::string one = lock_of(first_build, old_cmake),
                      other = lock_of(second_build, new_cmake);
    for (const bool is_first : {true, false}) {
        TempLedger ledger;
        load_lock(ledger, is_first ? one : other, "a");
        load_lock(ledger, is_first ? other : one, "b");
        CHECK(ledger.rows("SELECT * FROM build_hashes ORDER BY 1") ==
              Lines{first_build + "|hdf5|" + hdf5_hash, second_build + "|hdf5|" + hdf5_hash});
        CHECK(ledger.rows("SELECT dependency, deptypes FROM dependencies") == Lines{"zlib|link"});
        CHECK(
            ledger.rows("SELECT dependency_hash, deptypes FROM varying_dependencies ORDER BY 1") ==
            Lines{old_cmake + "|build", new_cmake + "|build"});
        for (const std::string& hash : {first_build, second_build, std::string("xaa"), hdf5_hash}) {
            CHECK(found(ledger, hash) == Lines{hdf5_hash});
        }
        CHECK(found(ledger, "xac").empty());
        CHECK(about_build_hash(ledger.database(), read_asked_spec("/xaa")) ==
              Lines{fmt::format(
                  "/{} is a build hash of a lock file; the DAG hash of this spec is /{}.",
                  first_build, hdf5_hash)});
        CHECK(about_build_hash(ledger.database(), read_asked_spec("/" + hdf5_hash)).empty());
        forget(ledger.database(), "a");
        forget(ledger.database(), "b");
        CHECK(ledger.value("SELECT count(*) FROM spec_build_hash") == "0");
        CHECK(find_problems(ledger.database(), 10).empty());
    }
}

}  // namespace graph_finding_test
