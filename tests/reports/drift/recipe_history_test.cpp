
#include "reports/questions/diff/diff.hpp"
#include "reports/questions/history/history.hpp"
#include "schema/specs/queries/asked_spec.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/filled.hpp"
#include "tests/support/ledgers/made_repository.hpp"
#include "tests/support/ledgers/report_rows.hpp"
#include "tests/support/ledgers/shown.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace recipe_history_test {

using namespace cacheledger;

namespace {

PrintedSpec build(const std::string& stem, const std::string& version,
                  const std::vector<std::string>& stacks = {"e4s", "root"}) {
    return {.hash = hash_of(stem), .version = version, .stacks = stacks};
}

/// zlib gets 1.3.1 in e4s on the 10th and in ml on the 20th; hdf5 is rebuilt on the 10th.
void fill(TempLedger& ledger) {
    ledger.take("2025-03-01", {{"zlib", {build("a", "1.3")}}, {"hdf5", {build("h", "1.14")}}});
    ledger.take("2025-03-10", {{"zlib", {build("b", "1.3.1")}}, {"hdf5", {build("j", "1.14")}}});
    ledger.take("2025-03-20", {{"zlib", {build("b", "1.3.1", {"e4s", "ml", "root"})}},
                               {"hdf5", {build("j", "1.14")}}});
}

const std::vector<MadeCommit> commits = {
    {'0', "2025-02-01T00:00:00", "all: old", {"zlib"}, {"1.2"}},
    {'1', "2025-02-10T00:00:00", "zlib: add 1.3", {"zlib"}, {"1.3"}},
    {'2', "2025-03-04T12:00:00", "zlib: add 1.3.1", {"zlib"}, {"1.3.1"}},
    {'3', "2025-03-05T00:00:00", "hdf5: patch", {"hdf5"}, {"1.15"}},
    {'4', "2025-03-11T00:00:00", "zlib: one", {"zlib"}},
    {'5', "2025-03-12T00:00:00", "zlib: two", {"zlib"}},
    {'6', "2025-03-13T00:00:00", "zlib: three", {"zlib"}},
    {'7', "2025-03-14T00:00:00", "zlib: \x1b[31mfour", {"zlib"}},
    {'8', "2025-03-21T00:00:00", "zlib: after", {"zlib"}, {"1.4"}},
};

void add_commits(TempLedger& ledger) {
    ledger.database().exec(made_repository("2025-02-01T00:00:00", "2025-04-01T00:00:00", commits));
}

SpecHistory find(TempLedger& ledger, const std::string& spec, std::size_t most = 99) {
    return find_history(ledger.database(), Catalog(),
                        {.query = read_asked_spec(spec), .series = "develop", .most = most});
}

std::vector<std::string> hints(TempLedger& ledger, const Arguments& filters = {},
                               const DiffScope& scope = {}) {
    Lines said;
    for (const std::string& remark :
         remarks(compare_snapshots(ledger.database(), Catalog(), "develop@2025-03-01",
                                   "develop@2025-03-10", filters, scope))) {
        if (remark.starts_with("Hint")) {
            said.push_back(remark);
        }
    }
    return said;
}

}  // namespace

TEST_CASE("The commits of a recipe stand among the events of its package") {
    Filled<TempLedger, fill> ledger;
    const std::string without = shown(document_of(find(ledger, "zlib")));
    const std::string csv_without = shown(document_of(find(ledger, "zlib")), Format::csv);
    CHECK(without.find("recipe") == std::string::npos);
    CHECK(csv_without.find("commits") == std::string::npos);
    add_commits(ledger);
    CHECK(shown(document_of(find(ledger, "zlib"))) ==
          "zlib in develop\n"
          "1 build in the newest snapshot; first seen 2025-03-01.\n"
          "Commits of recipes are left out: 1 before the first snapshot and 1 after the newest "
          "one.\n"
          "2025-03-01  there from the start: 1.3 (1 added)\n"
          "2025-03-04  recipe: 2222222 \"zlib: add 1.3.1\"\n"
          "2025-03-10  1.3 -> 1.3.1 (1 removed, 1 added)\n"
          "2025-03-14  recipe: 4 commits, the newest 7777777 \"zlib: \\x1b[31mfour\"\n"
          "2025-03-20  joined ml (1)\n");
    const ResultTable table = to_table(find(ledger, "zlib"));
    CHECK(table.columns.back() == "commits");
    REQUIRE(table.rows.size() == 5);
    CHECK(to_text(table.rows[0][table.columns.size() - 2]) == "builds");
    CHECK(to_text(table.rows[1][table.columns.size() - 2]) == "recipe");
    CHECK(to_text(table.rows[1].back()) == std::string(40, '2'));
    CHECK(to_text(table.rows[1][0]) == "2025-03-04T12:00:00Z");
    CHECK(is_null(table.rows[1][1]));
    CHECK(split(to_text(table.rows[3].back()), ',').size() == 4);
}

TEST_CASE("A limit counts commits as events, and a history of one build has none") {
    Filled<TempLedger, fill> ledger;
    add_commits(ledger);
    const SpecHistory two = find(ledger, "zlib", 2);
    REQUIRE(two.events.size() == 2);
    CHECK(two.events[0].kind == HistoryEvent::Kind::recipe);
    CHECK(two.left_out == 3);
    CHECK(find(ledger, "zlib", 4).left_out == 1);
    CHECK_FALSE(find(ledger, "/" + hash_of("b")).has_commits);
}

TEST_CASE("Of pages a diff hints at commits of packages whose builds all have new hashes") {
    Filled<TempLedger, fill> ledger;
    CHECK(hints(ledger).empty());
    add_commits(ledger);
    CHECK(hints(ledger) ==
          Lines{"Hint: in that time, 1 commit touched the recipe of hdf5, whose builds all have "
                "new hashes: 3333333 2025-03-05 \"hdf5: patch\""});
    CHECK(hints(ledger, {{"package", "z*"}, {"stack", Value()}}).empty());
    CHECK(hints(ledger, {{"package", "*"}, {"stack", "e4s"}}).empty());
}

TEST_CASE("That a look has more or fewer builds does not hide a hint") {
    TempLedger ledger;
    ledger.take("2025-03-01", {{"hdf5", {build("h", "1.14")}}, {"zlib", {build("a", "1.3")}}});
    ledger.take("2025-03-10", {{"hdf5", {build("j", "1.14"), build("k", "1.14")}},
                               {"zlib", {build("a", "1.3"), build("b", "1.3")}}});
    add_commits(ledger);
    CHECK(hints(ledger) ==
          Lines{"Hint: in that time, 1 commit touched the recipe of hdf5, whose builds all have "
                "new hashes: 3333333 2025-03-05 \"hdf5: patch\""});
}

TEST_CASE("A package that kept a build, or has other changes, gives no hint") {
    TempLedger ledger;
    ledger.take("2025-03-01", {{"hdf5", {build("h", "1.14"), build("k", "1.12")}}});
    ledger.take("2025-03-10", {{"hdf5", {build("j", "1.14"), build("k", "1.12")}}});
    add_commits(ledger);
    CHECK(hints(ledger).empty());
}

// history/lag: series|stack|versions|median_days|mean_days|max_days|never

TEST_CASE("The lag of versions is counted by stack, from the commit to the first build") {
    Filled<TempLedger, fill> ledger;
    CHECK(report_rows(ledger, "history/lag").empty());
    add_commits(ledger);
    // 1.2 and 1.3 appeared before the first snapshot, 1.4 after the newest one.
    CHECK(report_rows(ledger, "history/lag") == Lines{"develop|NULL|1|5.5|5.5|5.5|1",
                                                      "develop|e4s|1|5.5|5.5|5.5|1",
                                                      "develop|ml|1|15.5|15.5|15.5|0"});
    CHECK(report_rows(ledger, "history/lag", {{"stack", "ml"}}) ==
          Lines{"develop|NULL|1|15.5|15.5|15.5|0", "develop|ml|1|15.5|15.5|15.5|0"});
    // series|package|version|appeared|first_build|days
    CHECK(report_rows(ledger, "history/lag-versions") ==
          Lines{"develop|hdf5|1.15|2025-03-05T00:00:00Z|NULL|NULL",
                "develop|zlib|1.3.1|2025-03-04T12:00:00Z|2025-03-10T00:00:00Z|5.5"});
}

TEST_CASE("The median of the lag lies in the middle, and between two") {
    TempLedger ledger;
    const auto page = [](const std::vector<std::string>& versions) {
        PrintedPage made = {"zlib", {}};
        for (const std::string& version : versions) {  // each has a hash of its own
            made.specs.push_back(
                build({'b', static_cast<char>('a' + version.back() - '0')}, version));
        }
        return made;
    };
    ledger.take("2025-03-01", {page({"1.9"})});
    ledger.take("2025-03-11", {page({"1.9", "1.1", "1.2"})});
    ledger.take("2025-03-21", {page({"1.9", "1.1", "1.2", "1.3"})});
    ledger.database().exec(
        made_repository("2025-02-01T00:00:00", "2025-04-01T00:00:00",
                        {{'1', "2025-03-02T00:00:00", "add 1.1", {"zlib"}, {"1.1"}},
                         {'2', "2025-03-10T00:00:00", "add 1.2", {"zlib"}, {"1.2"}}}));
    CHECK(report_rows(ledger, "history/lag").at(0) == "develop|NULL|2|5|5|9|0");
    ledger.database().exec(
        made_repository("2025-02-01T00:00:00", "2025-04-01T00:00:00",
                        {{'3', "2025-03-18T00:00:00", "add 1.3", {"zlib"}, {"1.3"}}}));
    CHECK(report_rows(ledger, "history/lag").at(0) == "develop|NULL|3|3|4.3|9|0");
}

// 8 h 24 min are 0.35 days. As a binary number that is less: round() of SQLite 3.40 makes 0.4 of
// it, that of 3.46 0.3.
TEST_CASE("A half is rounded up with any SQLite") {
    TempLedger ledger;
    ledger.take("2025-03-01", {{"zlib", {build("a", "1.1")}}});
    ledger.take("2025-03-11", {{"zlib", {build("a", "1.1"), build("b", "1.2")}}});
    ledger.database().exec(
        made_repository("2025-02-01T00:00:00", "2025-04-01T00:00:00",
                        {{'1', "2025-03-10T15:36:00", "add 1.2", {"zlib"}, {"1.2"}}}));
    CHECK(report_rows(ledger, "history/lag").at(0) == "develop|NULL|1|0.4|0.4|0.4|0");
    CHECK(report_rows(ledger, "history/lag-versions") ==
          Lines{"develop|zlib|1.2|2025-03-10T15:36:00Z|2025-03-11T00:00:00Z|0.4"});
}

}  // namespace recipe_history_test
