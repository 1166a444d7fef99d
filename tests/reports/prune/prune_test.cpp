#include <fmt/format.h>

#include "reports/questions/keep/seen_specs.hpp"
#include "reports/questions/prune/prune.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "schema/specs/queries/spec_parser.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/filled.hpp"
#include "tests/support/ledgers/graph_ledger.hpp"

namespace prune_test {

using namespace cacheledger;

namespace {

Lines lines_of(const ResultTable& table, const std::vector<std::size_t>& columns) {
    Lines lines;
    for (const auto& row : table.rows) {
        std::string line;
        for (const std::size_t column : columns) {
            line += fmt::format("{}{}", line.empty() ? "" : " ",
                                is_null(row[column]) ? "NULL" : to_text(row[column]));
        }
        lines.push_back(line);
    }
    return lines;
}

/// Asks what `ledger` would lose.
struct Asked {
    explicit Asked(GraphLedger& ledger, const std::optional<std::string>& series = std::nullopt,
                   bool only_listed = false)
        : database(ledger.database()),
          seen(database, newest_snapshot(database), series, only_listed) {}

    Asked& keep(const std::string& rule) {
        counts.push_back(seen.keep(*read_keep_rule(rule)));
        return *this;
    }
    Asked& keep_list(const std::string& text) {
        counts.push_back(seen.keep_list(read_spec_list(text, "list")));
        return *this;
    }
    Prune ask(bool with_dependencies = false) {
        return ask_prune(database, seen, with_dependencies);
    }
    /// "package version", of the specs that would be lost.
    Lines lost(bool with_dependencies = false) {
        ask(with_dependencies);
        return lines_of(pruned_rows(database, false), {0, 1});
    }

    SQLite::Database& database;
    SeenSpecs seen;
    std::vector<KeptCount> counts;
};

/// zlib and libm below hdf5 (link), which app runs; cmake builds hdf5.
void add_programs(GraphLedger& ledger) {
    ledger.add({"zlib", "zlib"}).add({"libm", "libm"}).add({"cmake", "cmake"});
    ledger.add({"hdf", "hdf5", {{"zlib"}, {"libm"}, {"cmake", "build"}}});
    ledger.add({"app", "app", {{"hdf", "run"}}});
}

}  // namespace

TEST_CASE("A cache may have all that a snapshot listed, and loses what was not seen for longer") {
    GraphLedger ledger;
    ledger.add({"a", "zlib"}).add({.stem = "b", .package = "zlib", .version = "1.1"});
    ledger.add({"c", "hdf5"}).add({"d", "curl"});
    // Snapshots are a second apart: a is seen last at 0, b at 1, c at 2 and d at 3.
    ledger.take({{"a", "b", "c", "d"}, {"b", "c", "d"}, {"c", "d"}, {"d"}});
    CHECK(Asked(ledger).keep("seen within 10 seconds").lost().empty());
    CHECK(Asked(ledger).keep("seen within 2 seconds").lost() == Lines{"zlib 1.0"});
    CHECK(Asked(ledger).keep("seen within 1 seconds").lost() == Lines{"zlib 1.0", "zlib 1.1"});
    CHECK(Asked(ledger).keep("not seen for 0 seconds").lost() ==
          Lines{"hdf5 1.0", "zlib 1.0", "zlib 1.1"});

    Asked asked(ledger);
    const Prune prune = asked.keep("seen within 1 seconds").ask();
    CHECK(asked.counts[0].matched == 2);
    CHECK(lines_of(prune.totals, {0, 1, 2, 3}) ==
          Lines{"specs 4 2 2", "specs listed 1 1 0", "packages 3 2 1", "versions 4 2 2",
                "bytes NULL NULL NULL", "specs of unknown size 4 2 2"});
    CHECK(lines_of(prune.packages, {0, 1, 2, 3, 4, 5, 6}) == Lines{"zlib 2 0 2 1 2 1.0 1.1"});
    CHECK(
        lines_of(pruned_rows(asked.database, false), {2, 9, 10}) ==
        Lines{hash_of("a") + " 1970-01-01T00:00:00Z 0", hash_of("b") + " 1970-01-01T00:00:01Z 0"});
}

TEST_CASE("What is dropped is lost, all else is kept, and what needs it breaks") {
    Filled<GraphLedger, add_programs> ledger;
    ledger.add({.stem = "new", .package = "zlib", .version = "1.3"});
    ledger.take({{"zlib", "libm", "cmake", "hdf", "app", "new"}});
    ledger.take_lock({"zlib", "libm", "cmake", "hdf", "app"}, {"app"});
    const auto drop = [&](const std::string& spec, const std::string& keep = "") {
        Asked asked(ledger);
        keep.empty() ? asked.seen.keep_all() : static_cast<void>(asked.keep(keep));
        asked.counts.push_back(asked.seen.drop(parse_spec(spec)));
        return asked;
    };
    Asked asked = drop("zlib@1.0");
    CHECK(asked.counts.back().matched == 1);
    CHECK(asked.lost() == Lines{"zlib 1.0"});
    Prune prune = asked.ask();
    CHECK(lines_of(prune.broken, {0, 4}) == Lines{"hdf5 zlib", "app zlib"});
    add_environments(ledger.database(), asked.seen, prune);
    // The lock file wants app, hdf5, libm and zlib to link and run; zlib would not be there.
    CHECK(lines_of(prune.environments, {0, 1, 2, 3}) == Lines{"lock@0 4 4 3"});

    CHECK(drop("zlib").lost() == Lines{"zlib 1.0", "zlib 1.3"});
    CHECK(drop("zlib", "newest 1").lost() == Lines{"zlib 1.0", "zlib 1.3"});
    Asked whole = drop("zlib@1.3");
    Prune nothing = whole.ask();
    add_environments(ledger.database(), whole.seen, nothing);
    CHECK(nothing.environments.rows.empty());
    CHECK(nothing.broken.rows.empty());
}

TEST_CASE("What is dropped is not taken back for what kept builds need") {
    Filled<GraphLedger, add_programs> ledger;
    ledger.take({{"zlib", "libm", "cmake", "hdf", "app"}});
    Asked asked(ledger);
    asked.keep_list("app").seen.drop(parse_spec("zlib"));
    const Prune prune = asked.ask(true);
    CHECK(prune.dependencies == 2);  // hdf5 and libm
    CHECK(lines_of(pruned_rows(asked.database, false), {0, 11}) == Lines{"cmake 0", "zlib 1"});
    CHECK(lines_of(prune.broken, {0, 4}) == Lines{"hdf5 zlib", "app zlib"});

    Asked rest(ledger);
    rest.seen.keep_all();
    rest.seen.drop(parse_spec("zlib"));
    CHECK(rest.lost(true) == Lines{"zlib 1.0"});
    CHECK(rest.ask(true).dependencies == 0);
}

TEST_CASE("A build that came back was seen when it was back") {
    GraphLedger ledger;
    ledger.add({"a", "zlib"}).add({"b", "hdf5"});
    ledger.take({{"a"}, {"b"}, {"a", "b"}, {"b"}});
    CHECK(Asked(ledger).keep("seen within 1 seconds").lost().empty());
    CHECK(Asked(ledger).keep("newest 2").lost().empty());
    CHECK(Asked(ledger).keep("newest 1").lost() == Lines{"zlib 1.0"});
}

TEST_CASE("What was not yet there at a moment is not asked of") {
    GraphLedger ledger;
    ledger.add({"a", "zlib"}).add({"b", "hdf5"}).add({"c", "curl"});
    ledger.take({{"a"}, {"b"}, {"a", "c"}});
    SeenSpecs seen(ledger.database(), find_snapshot(ledger.database(), "develop@1"), std::nullopt);
    CHECK(seen.specs().size() == 2);
    seen.keep(*read_keep_rule("seen within 0 seconds"));
    ask_prune(ledger.database(), seen, false);
    CHECK(lines_of(pruned_rows(ledger.database(), false), {0, 9}) ==
          Lines{"zlib 1970-01-01T00:00:00Z"});
}

TEST_CASE("Only what the newest snapshot lists, if that is asked") {
    GraphLedger ledger;
    ledger.add({"a", "zlib"}).add({"b", "hdf5"});
    ledger.take({{"a", "b"}, {"b"}});
    CHECK(Asked(ledger, std::nullopt, true).keep_list("curl").lost() == Lines{"hdf5 1.0"});
}

TEST_CASE("A list keeps what matches its lines, and says which match nothing") {
    Filled<GraphLedger, add_programs> ledger;
    ledger.take({{"zlib", "libm", "hdf", "app"}});
    Asked asked(ledger);
    CHECK(asked.keep_list("# kept\n\n/" + hash_of("zlib") + "\nhdf5@1.0\ncurl\nlibm@9\n").lost() ==
          Lines{"app 1.0", "libm 1.0"});
    CHECK(asked.counts[0].matched == 2);
    CHECK(asked.counts[0].unmatched_lines == Lines{"5: curl", "6: libm@9"});
    // What is not known is kept: a page does not say what a spec needs.
    GraphLedger pages;
    pages.add({.stem = "p", .package = "hdf5", .is_described = false});
    pages.take({{"p"}}, "pages");
    Asked unknown(pages);
    CHECK(unknown.keep_list("hdf5 ^zlib").lost().empty());
    CHECK(unknown.counts[0].undecided == 1);
}

TEST_CASE("Stacks of the newest snapshot are kept, and what stacks lose is counted") {
    GraphLedger ledger;
    ledger.add({"a", "zlib"}).add({"b", "hdf5"}).add({"c", "curl"}).add({"d", "gmake"});
    ledger.take({{"a:e4s,ml", "b:e4s", "c:ml", "d:e4s"}, {"a:e4s,ml", "b:e4s", "c:ml", "d:ml"}});
    Asked asked(ledger);
    const Prune prune = asked.keep("stack e4s").ask();
    CHECK(lines_of(prune.stacks, {0, 1, 2, 3}) == Lines{"ml 3 1 2", "e4s 2 2 0"});
    CHECK_THROWS_AS(asked.keep("stack e5s"), UsageError);
    CHECK_THROWS_AS(asked.keep("stack x*"), UsageError);
}

TEST_CASE("Kept specs that need lost ones are broken, directly or through others") {
    Filled<GraphLedger, add_programs> ledger;
    ledger.take({{"zlib", "libm", "cmake", "hdf", "app"}});
    Asked asked(ledger);
    const Prune prune = asked.keep_list("app\nhdf5\n").ask();
    CHECK(lines_of(prune.broken, {0, 4, 6}) == Lines{"hdf5 libm 1", "app libm 0"});
    // needed: cmake is needed to build only.
    CHECK(lines_of(pruned_rows(asked.database, false), {0, 11}) ==
          Lines{"cmake 0", "libm 1", "zlib 1"});
    const auto gates = judge(
        prune, read_gates({"broken,listed", "package,specs-59%,specs-60%"}, prune_gate_names()),
        std::nullopt);
    Lines outcomes;
    for (const Gate& gate : gates) {
        outcomes.push_back(fmt::format("{} {}: {}", gate.name, gate.has_failed, gate.message));
    }
    CHECK(outcomes == Lines{"broken true: 2 kept specs would lack what they need",
                            "listed true: 3 specs of the newest snapshots would be lost",
                            "package true: 3 packages would vanish",
                            "specs-59% true: 3 of 5 specs would be lost",
                            "specs-60% false: 3 of 5 specs would be lost"});
}

TEST_CASE("The lost spec that is named is one that the broken spec needs itself, if there is one") {
    GraphLedger ledger;
    ledger.add({"zlib", "zlib"}).add({"abc", "abc"});
    ledger.add({"hdf", "hdf5", {{"abc"}}}).add({"app", "app", {{"hdf"}, {"zlib"}}});
    ledger.take({{"zlib", "abc", "hdf", "app"}});
    Asked asked(ledger);
    CHECK(lines_of(asked.keep_list("app\nhdf5\n").ask().broken, {0, 4, 6}) ==
          Lines{"app zlib 1", "hdf5 abc 1"});
}

TEST_CASE("With dependencies nothing is broken, and what is needed to build may be lost") {
    Filled<GraphLedger, add_programs> ledger;
    ledger.take({{"zlib", "libm", "cmake", "hdf", "app"}});
    Asked asked(ledger);
    const Prune prune = asked.keep_list("app").ask(true);
    CHECK(prune.dependencies == 3);
    CHECK(prune.broken.rows.empty());
    CHECK(lines_of(pruned_rows(asked.database, false), {0}) == Lines{"cmake"});
}

TEST_CASE("What the cache never had is not lost, and what is beyond it may be") {
    GraphLedger ledger;
    GraphNode glibc{"glibc", "glibc", {}};
    glibc.external_path = "/usr";
    ledger.add({"deep", "deep"}).add(glibc);
    ledger.add({"mid", "mid", {{"deep"}, {"glibc"}}}).add({"top", "top", {{"mid"}}});
    ledger.take({{"top", "deep", "glibc"}});
    Asked asked(ledger);
    // mid is not in the cache; glibc, which is, is external.
    CHECK(lines_of(asked.keep_list("top").ask().broken, {0, 4, 6}) == Lines{"top deep 0"});
    CHECK(asked.lost(true) == Lines{"glibc 1.0"});
}

TEST_CASE("A spliced dependency is there as long as what was built is") {
    GraphLedger ledger;
    ledger.add({"built", "zlib"});
    GraphNode spliced{"spliced", "zlib"};
    spliced.build_hash = hash_of("built");
    ledger.add(spliced).add({"app", "app", {{"spliced"}}});
    ledger.take({{"built", "app"}});
    CHECK(Asked(ledger).keep_list("app\n/" + hash_of("built")).ask().broken.rows.empty());
    CHECK(lines_of(Asked(ledger).keep_list("app").ask().broken, {0, 5}) ==
          Lines{"app " + hash_of("spliced")});
    CHECK(Asked(ledger).keep_list("app").lost(true).empty());
}

TEST_CASE("How much of a lock file would be there, before and after") {
    Filled<GraphLedger, add_programs> ledger;
    ledger.take({{"zlib", "libm", "hdf", "app"}, {"zlib", "hdf", "app"}});
    ledger.take_lock({"zlib", "libm", "cmake", "hdf", "app"}, {"app"});
    Asked asked(ledger);
    asked.keep("newest 1");
    const auto wanted = wanted_of_snapshot(asked.database, find_snapshot(asked.database, "lock@0"));
    const ResultTable table{{}, {cover_before_and_after(asked.seen, wanted)}};
    CHECK(lines_of(table, {0, 1, 2, 3, 4, 5, 6, 7, 8}) == Lines{"lock@0 4 4 3 100 75 5 4 3"});
    const ResultTable list{
        {},
        {cover_before_and_after(asked.seen, "list", read_spec_list("libm\ncurl\nzlib", "list"))}};
    CHECK(lines_of(list, {0, 1, 2, 3, 6}) == Lines{"list 3 2 1 NULL"});
}

TEST_CASE("A snapshot of a lock file is no snapshot of a cache") {
    GraphLedger ledger;
    ledger.add({"a", "zlib"});
    ledger.take({{"a"}});
    ledger.take_lock({"a"}, {"a"});
    auto& database = ledger.database();
    CHECK_THROWS_AS(SeenSpecs(database, find_snapshot(database, "lock@0"), std::nullopt),
                    UsageError);
    CHECK_THROWS_AS(SeenSpecs(database, find_snapshot(database, "develop@0"), "loc*"), UsageError);
    CHECK(SeenSpecs(database, find_snapshot(database, "develop@0"), "*").series().size() == 1);
}

TEST_CASE("Rules of what is kept are read") {
    const auto seen = read_keep_rule("seen within 14 days");
    REQUIRE(seen);
    CHECK(seen->kind == KeepRule::Kind::seen);
    CHECK(seen->age == "14 days");
    CHECK(read_keep_rule("  seen  within 1  week ")->age == "1 week");

    const auto newest = read_keep_rule("newest 2 of develop-*");
    REQUIRE(newest);
    CHECK(newest->kind == KeepRule::Kind::newest);
    CHECK(newest->count == 2);
    CHECK(newest->name == "develop-*");
    CHECK(read_keep_rule("newest 3")->name.empty());

    CHECK(read_keep_rule("stack (no stack)")->name == "(no stack)");
}

TEST_CASE("A rule that names what is lost means the same") {
    CHECK(read_keep_rule("not seen for 14 days")->text == "seen within 14 days");
}

TEST_CASE("A text that is no rule may be another thing") {
    for (const char* const text : {"", "develop", "seen", "spack.lock", "sen within 14 days"}) {
        INFO(text);
        CHECK(!read_keep_rule(text));
    }
}

TEST_CASE("A rule that goes on in another way is refused, with an example") {
    for (const char* const text :
         {"seen within", "seen within days", "seen within 14", "seen within 14 apples",
          "seen within now", "seen within 2025-03-01", "not seen for ever", "seen before 3 days",
          "newest 0", "newest -1", "newest many", "newest 2 of", "newest 2 in develop"}) {
        INFO(text);
        CHECK_THROWS_AS(read_keep_rule(text), UsageError);
    }
    CHECK_THROWS_WITH(read_keep_rule("seen within 14 apples"),
                      "--keep 'seen within 14 apples': expected an age, such as 'seen within 14 "
                      "days' or 'seen within 3 months'");
}

}  // namespace prune_test
