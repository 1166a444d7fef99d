
#include <string>
#include <vector>

#include "ingest/snapshots/forget.hpp"
#include "reports/questions/diff/diff.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/check/check.hpp"
#include "schema/ledger/names/snapshot.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_fixture.hpp"
#include "tests/support/ledgers/graph_text.hpp"
#include "tests/support/ledgers/report_rows.hpp"

namespace graph_load_test {

// Snapshots of indexes, lock files and install databases.
using namespace cacheledger;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string a = hash_of("a");
const std::string b = hash_of("b");
const std::string c = hash_of("c");
const std::string first = "develop@2025-03-01T00:00:00Z";
const std::string second = "develop@2025-03-02T00:00:00Z";
const std::string third = "develop@2025-03-03T00:00:00Z";

const MadeNodes nodes = {{"hwloc", a}, {"mpich", b, {{"hwloc", a}}}, {"zlib", c}};

MadeInput indexes(const std::vector<MadeFile>& files, const std::vector<MadeUnread>& unread = {}) {
    return {"develop", nodes, files, unread};
}

MadeInput lock(const std::vector<std::string>& present,
               const std::vector<std::pair<std::string, std::string>>& roots = {}) {
    return {"casper", nodes, {{"", present, SourceKind::lock, roots}}};
}

Lines states(TempLedger& ledger) {
    CHECK(find_problems(ledger.database(), 10) == Lines{});
    return ledger.rows("SELECT snapshot || ' ' || package || ' ' || stacks FROM specs ORDER BY 1");
}

void check_same(TempLedger& ledger, TempLedger& other) {
    auto tables = ledger.tables_without_ids();
    for (const auto& [name, rows] : other.tables_without_ids()) {
        INFO(name);
        CHECK(tables[name] == rows);
    }
}

IngestOptions keeping_on() {
    return {.keep_going = true};
}

}  // namespace

TEST_CASE("A spec of indexes is what root has, in the stacks of all that have it") {
    TempLedger ledger;
    take_graph(ledger, "2025-03-01", indexes({{"root", {a, b}}, {"ml", {b, c}}, {"e4s", {a, b}}}));
    CHECK(states(ledger) == Lines{first + " hwloc e4s,root", first + " mpich e4s,ml,root"});
    CHECK(ledger.rows("SELECT name, packages, specs, kind, extent, source FROM snapshots") ==
          Lines{first + "|2|2|index|whole|made by hand"});
    CHECK(ledger.value("SELECT count(*) FROM pages") == "0");
}

TEST_CASE("Without root a spec is what any index has") {
    TempLedger ledger;
    take_graph(ledger, "2025-03-01", indexes({{"ml", {b, c}}, {"e4s", {b}}}));
    CHECK(states(ledger) == Lines{first + " mpich e4s,ml", first + " zlib ml"});
}

TEST_CASE("An index without a label is that of root") {
    TempLedger ledger;
    take_graph(ledger, "2025-03-01", indexes({{"", {a, b}}, {"ml", {b, c}}}));
    CHECK(states(ledger) == Lines{first + " hwloc root", first + " mpich ml,root"});
}

TEST_CASE("The specs of a lock file and of an install database are in no stack") {
    TempLedger ledger;
    take_graph(ledger, "2025-03-01", lock({a, b}));
    MadeInput install = lock({c});
    install.tag = "site";
    install.files[0].kind = SourceKind::install;
    take_graph(ledger, "2025-03-01", install);
    CHECK(states(ledger) == Lines{"casper@2025-03-01T00:00:00Z hwloc ",
                                  "casper@2025-03-01T00:00:00Z mpich ",
                                  "site@2025-03-01T00:00:00Z zlib "});
    CHECK(report_rows(ledger, "coverage/stacks", {{"at", "casper@2025-03-01T00:00:00Z"}}) ==
          Lines{"(no stack)|2|2|2|NULL|NULL|NULL"});
}

TEST_CASE("A package of which an index has nothing is gone") {
    TempLedger ledger;
    take_graph(ledger, "2025-03-01", indexes({{"", {a, b}}}));
    take_graph(ledger, "2025-03-02", indexes({{"", {b, c}}}));
    CHECK(states(ledger) == Lines{first + " hwloc root", first + " mpich root",
                                  second + " mpich root", second + " zlib root"});
    CHECK(ledger.rows("SELECT package, change FROM changes WHERE snapshot = '" + second +
                      "' ORDER BY 1") == Lines{"hwloc|removed", "zlib|added"});
}

TEST_CASE("The roots of a lock file are kept in the words of its user") {
    TempLedger ledger;
    take_graph(ledger, "2025-03-01", lock({a, b}, {{"mpich +x", b}, {"hwloc", a}}));
    take_graph(ledger, "2025-03-03", lock({a, b, c}, {{"mpich +x", b}, {"hwloc", c}}));
    take_graph(ledger, "2025-03-02", lock({a, b}, {{"mpich +x", b}, {"hwloc", a}, {"hwloc", b}}));
    CHECK(ledger.rows("SELECT substr(snapshot, 8, 10), root, package FROM roots "
                      "ORDER BY 1, 2, 3") ==
          Lines{"2025-03-01|hwloc|hwloc", "2025-03-01|mpich +x|mpich", "2025-03-02|hwloc|hwloc",
                "2025-03-02|hwloc|mpich", "2025-03-02|mpich +x|mpich", "2025-03-03|hwloc|zlib",
                "2025-03-03|mpich +x|mpich"});
    CHECK(ledger.value("SELECT count(*) FROM root_presence") == "4");
    forget(ledger.database(), "casper@2025-03-02");
    CHECK(ledger.value("SELECT count(*) FROM root_presence") == "3");
    CHECK(find_problems(ledger.database(), 10) == Lines{});
}

TEST_CASE("A lock file with other roots is other content") {
    TempLedger ledger;
    take_graph(ledger, "2025-03-01", lock({a, b}, {{"mpich", b}}));
    CHECK(thrown<InputError>([&] {
              take_graph(ledger, "2025-03-01", lock({a, b}, {{"mpich+x", b}}));
          }) ==
          "casper@2025-03-01T00:00:00Z is in the ledger with other content: it has other roots; "
          "--replace replaces it");
}

TEST_CASE("Loading the same again changes nothing") {
    TempLedger ledger;
    const MadeInput input = indexes({{"root", {a, b}}, {"ml", {b}}});
    take_graph(ledger, "2025-03-01", input);
    const auto before = ledger.tables();
    const IngestResult result = take_graph(ledger, "2025-03-01", input);
    CHECK(result.unchanged == Lines{first});
    CHECK(result.loaded.empty());
    CHECK(ledger.tables() == before);
}

TEST_CASE("Other content at the same moment is refused, or replaces what is there") {
    TempLedger ledger;
    take_graph(ledger, "2025-03-01", indexes({{"root", {a, b}}, {"ml", {b}}}));
    const auto before = ledger.tables();
    const auto refusal = [&](const std::vector<MadeFile>& files) {
        return thrown<InputError>([&] { take_graph(ledger, "2025-03-01", indexes(files)); });
    };
    CHECK(refusal({{"root", {a}}}) ==
          first +
              " is in the ledger with other content: it has specs of mpich, which are not "
              "given now; --replace replaces it");
    CHECK(refusal({{"root", {a, b}}}) ==
          first +
              " is in the ledger with other content: it has other specs of mpich, or in other "
              "stacks; --replace replaces it");
    CHECK(refusal({{"root", {a, b, c}}, {"ml", {b}}}) ==
          first +
              " is in the ledger with other content: it has no specs of zlib; --replace "
              "replaces it");
    CHECK(ledger.tables() == before);
    const MadeInput other{"develop", {{"zlib", c}}, {{"root", {c}}}};
    CHECK(take_graph(ledger, "2025-03-01", other, {.replace = true}).replaced == Lines{first});
    TempLedger fresh;
    take_graph(fresh, "2025-03-01", other);
    check_same(ledger, fresh);
}

TEST_CASE("What is known of a node stays when one file replaces another that has it, too") {
    using graph_text::NodeText;
    TempLedger ledger;
    const auto take_lock = [&](const std::vector<graph_text::Keyed>& records) {
        const std::string text = graph_text::lock(5, {{records[0].first, "zlib"}}, records);
        load_graph(ledger, {.taken_at = parse_moment("2025-03-01").value(), .replace = true},
                   read_into("casper", text));
    };
    const graph_text::Keyed shared{a, NodeText{.hash = a, .package = "hwloc"}.text(4)};
    take_lock({shared});
    take_lock({shared, {c, NodeText{.hash = c, .package = "zlib"}.text(4)}});
    CHECK(ledger.rows("SELECT package, version, knows_dependencies FROM specs ORDER BY 1") ==
          Lines{"hwloc|1.3|1", "zlib|1.3|1"});
}

TEST_CASE("A snapshot of pages is other content than one of an index") {
    TempLedger ledger;
    const std::vector<PrintedPage> pages = {{"zlib", {{.hash = c, .stacks = {"root"}}}}};
    const MadeInput index = indexes({{"", {c}}});
    ledger.take("2025-03-01", pages);
    CHECK_THAT(thrown<InputError>([&] { take_graph(ledger, "2025-03-01", index); }),
               ContainsSubstring("it is made from pages"));
    take_graph(ledger, "2025-03-02", index);
    CHECK_THAT(thrown<InputError>([&] { ledger.take("2025-03-02", pages); }),
               ContainsSubstring("it is made from indexes"));
    ledger.take("2025-03-02", pages, {.replace = true});
    CHECK(ledger.rows("SELECT DISTINCT kind FROM snapshots") == Lines{"pages"});
    CHECK(find_problems(ledger.database(), 10) == Lines{});
}

TEST_CASE("An unchanged source makes a snapshot that shares everything, or none") {
    TempLedger ledger;
    const MadeInput input = indexes({{"root", {a, b}}, {"ml", {b}}});
    take_graph(ledger, "2025-03-01", input);
    take_graph(ledger, "2025-03-02", input);
    CHECK(ledger.value("SELECT count(*) FROM snapshots") == "2");
    CHECK(ledger.value("SELECT count(*) FROM presence") == "2");
    CHECK(ledger.value("SELECT count(*) FROM page_presence") == "2");
    const auto before = ledger.tables();
    CHECK(take_graph(ledger, "2025-03-03", input, {.if_changed = true}).unchanged == Lines{second});
    CHECK(ledger.tables() == before);
    take_graph(ledger, "2025-03-03", indexes({{"root", {a}}}), {.if_changed = true});
    CHECK(ledger.value("SELECT count(*) FROM snapshots") == "3");
    take_graph(ledger, "2025-03-04", input, {.if_changed = true});
    CHECK(ledger.value("SELECT count(*) FROM snapshots") == "4");
}

TEST_CASE("A tag of an index takes no lock file, and the other way round") {
    TempLedger ledger;
    take_graph(ledger, "2025-03-01", lock({a}));
    ledger.take("2025-03-01", {{"zlib", {{.hash = c}}}});
    const auto before = ledger.tables();
    MadeInput index = indexes({{"", {a}}});
    index.tag = "casper";
    CHECK(thrown<UsageError>([&] { take_graph(ledger, "2025-03-02", index); }) ==
          "the tag 'casper' has snapshots of lock files, which no snapshot of indexes can follow; "
          "give another one with --tag");
    MadeInput on_develop = lock({a});
    on_develop.tag = "develop";
    CHECK_THAT(thrown<UsageError>([&] { take_graph(ledger, "2025-03-02", on_develop); }),
               ContainsSubstring("has snapshots of pages"));
    MadeInput install = lock({a});
    install.files[0].kind = SourceKind::install;
    CHECK_THAT(thrown<UsageError>([&] { take_graph(ledger, "2025-03-02", install); }),
               ContainsSubstring("no snapshot of install databases"));
    CHECK_THAT(thrown<UsageError>([&] {
                   ledger.take("2025-03-02", {{"zlib", {{.hash = c}}, "casper"}});
               }),
               ContainsSubstring("no snapshot of pages can follow"));
    CHECK(ledger.tables() == before);
}

TEST_CASE("Files of two kinds make no snapshot, and those of a lock file have no label") {
    TempLedger ledger;
    MadeInput both = lock({a});
    both.files.push_back({"ml", {b}});
    CHECK(thrown<UsageError>([&] { take_graph(ledger, "2025-03-02", both); }) ==
          ".json and ml.json can't make one snapshot: they are lock files and indexes");
    MadeInput labelled = lock({a});
    labelled.files[0].label = "ml";
    CHECK(thrown<UsageError>([&] { take_graph(ledger, "2025-03-02", labelled); }) ==
          "ml=ml.json: the specs of lock files are in no stack");
    CHECK_THAT(thrown<InputError>([&] {
                   take_graph(ledger, "2025-03-02", indexes({{"m,l", {a}}}));
               }),
               ContainsSubstring("expected the name of a stack"));
}

TEST_CASE("The newest snapshot is one of pages or indexes, if there are any") {
    TempLedger ledger;
    CHECK_THAT(thrown<UsageError>([&] { newest_snapshot(ledger.database()); }),
               ContainsSubstring("the ledger is empty"));
    take_graph(ledger, "2025-03-04", lock({a}));
    CHECK(!has_cache(ledger.database()));
    CHECK(newest_snapshot(ledger.database()).name == "casper@2025-03-04T00:00:00Z");
    CHECK(find_snapshot(ledger.database(), "latest").name == "casper@2025-03-04T00:00:00Z");
    ledger.take("2025-03-01", {{"zlib", {{.hash = c}}}});
    CHECK(has_cache(ledger.database()));
    CHECK(newest_snapshot(ledger.database()).name == first);
    take_graph(ledger, "2025-03-02", indexes({{"", {a}}}));
    CHECK(newest_snapshot(ledger.database()).name == second);
    CHECK(find_snapshot(ledger.database(), "latest").name == second);
    CHECK(find_snapshot(ledger.database(), "casper").name == "casper@2025-03-04T00:00:00Z");
}

TEST_CASE("A label that can't be read fails the run, and nothing is loaded") {
    TempLedger ledger;
    const auto before = ledger.tables();
    CHECK(thrown<InputError>([&] {
              take_graph(ledger, "2025-03-01", indexes({{"root", {a}}}, {{"ml"}}));
          }) == "ml.json: it is torn");
    CHECK(thrown<InputError>([&] {
              take_graph(ledger, "2025-03-01", indexes({}, {{"ml"}}), keeping_on());
          }) == "ml.json: it is torn");
    CHECK(ledger.tables() == before);
}

TEST_CASE("A stack that could not be read keeps its specs") {
    TempLedger ledger;
    take_graph(ledger, "2025-03-01", indexes({{"root", {a, b, c}}, {"ml", {b, c}}}));
    const IngestResult result =
        take_graph(ledger, "2025-03-02", indexes({{"root", {a, b}}}, {{"ml"}}), keeping_on());
    CHECK(result.bad_pages == Lines{"ml.json: it is torn"});
    CHECK(states(ledger) == Lines{first + " hwloc root", first + " mpich ml,root",
                                  first + " zlib ml,root", second + " hwloc root",
                                  second + " mpich ml,root"});
    CHECK(ledger.rows("SELECT snapshot, path, kind, detail FROM findings") ==
          Lines{second + "|ml.json|label-unreadable|ml.json: it is torn"});
    SECTION("again") {
        const auto before = ledger.tables();
        CHECK(take_graph(ledger, "2025-03-02", indexes({{"root", {a, b}}}, {{"ml"}}), keeping_on())
                  .unchanged == Lines{second});
        CHECK(ledger.tables() == before);
        CHECK_THAT(thrown<InputError>([&] {
                       take_graph(ledger, "2025-03-02", indexes({{"root", {a, b}}, {"ml", {b}}}));
                   }),
                   ContainsSubstring("other stacks could not be read"));
    }
    SECTION("and follows what is loaded before it later") {
        take_graph(ledger, "2025-03-01T12:00:00Z", indexes({{"root", {a, b}}, {"ml", {a}}}));
        CHECK(ledger.rows("SELECT package, stacks FROM specs WHERE snapshot = '" + second +
                          "' ORDER BY 1") == Lines{"hwloc|ml,root", "mpich|root"});
        forget(ledger.database(), "develop@2025-03-01T12:00:00Z");
        CHECK(ledger.rows("SELECT package, stacks FROM specs WHERE snapshot = '" + second +
                          "' ORDER BY 1") == Lines{"hwloc|root", "mpich|ml,root"});
        forget(ledger.database(), first);
        CHECK(states(ledger) == Lines{second + " hwloc root", second + " mpich root"});
    }
}

TEST_CASE("Where root could not be read, its specs stay") {
    TempLedger ledger;
    take_graph(ledger, "2025-03-01", indexes({{"root", {a, b}}, {"ml", {b}}}));
    take_graph(ledger, "2025-03-02", indexes({{"ml", {c}}}, {{"root"}}), keeping_on());
    CHECK(states(ledger) == Lines{first + " hwloc root", first + " mpich ml,root",
                                  second + " hwloc root", second + " mpich root",
                                  second + " zlib ml"});
    take_graph(ledger, "2025-03-03", indexes({{"root", {c}}, {"ml", {c}}}));
    CHECK(ledger.rows("SELECT package, stacks FROM specs WHERE snapshot = '" + third + "'") ==
          Lines{"zlib|ml,root"});
}

TEST_CASE("Several inputs make a snapshot each") {
    TempLedger ledger;
    MadeInput dated = indexes({{"", {a, c}}});
    dated.tag = "develop-2025-02-02";
    MadeInput earlier = indexes({{"", {a}}});
    earlier.tag = "develop-2025-01-26";
    const MadeInput other = indexes({{"", {a, c}}});
    std::vector<ReadGraph> inputs;
    for (const MadeInput& made : {dated, earlier, other}) {
        inputs.push_back([made](Earlier&) { return make_input(made); });
    }
    const auto result = load_graphs(ledger, {.taken_at = parse_moment("2025-03-01")}, inputs);
    CHECK(result.loaded == Lines{"develop-2025-02-02", "develop-2025-01-26", first});
    CHECK(states(ledger) == Lines{"develop-2025-01-26 hwloc root", "develop-2025-02-02 hwloc root",
                                  "develop-2025-02-02 zlib root", first + " hwloc root",
                                  first + " zlib root"});
    CHECK(result.new_nodes == 2);  // hwloc and zlib: nothing needs mpich
}

TEST_CASE("A forgotten snapshot takes the nodes with it that no other reaches") {
    TempLedger ledger;
    take_graph(ledger, "2025-03-01", indexes({{"", {a}}}));
    TempLedger only_first;
    MadeInput small{"develop", {{"zlib", c}}, {{"", {c}}}};
    take_graph(only_first, "2025-03-05", small);
    forget(ledger.database(), first);
    take_graph(ledger, "2025-03-05", small);
    check_same(ledger, only_first);
    // hwloc is needed by mpich, which stays.
    take_graph(ledger, "2025-03-06", indexes({{"", {a, b}}}));
    take_graph(ledger, "2025-03-07", indexes({{"", {b}}}));
    forget(ledger.database(), "develop@2025-03-06");
    CHECK(ledger.rows("SELECT dependency FROM dependencies") == Lines{"hwloc"});
    CHECK(ledger.value("SELECT count(*) FROM node") == "3");
    forget(ledger.database(), "develop@2025-03-07");
    check_same(ledger, only_first);
    CHECK(find_problems(ledger.database(), 10) == Lines{});
}

TEST_CASE("What an index filled into the specs of pages stays when it is forgotten") {
    TempLedger ledger;
    ledger.take("2025-03-01", {{"mpich", {{.hash = b, .compiler = "none"}}}});
    take_graph(ledger, "2025-03-02", indexes({{"", {b}}}));
    forget(ledger.database(), second);
    CHECK(ledger.rows("SELECT compiler, knows_dependencies FROM specs") == Lines{"gcc@13.2.0|1"});
    CHECK(ledger.rows("SELECT package, dependency FROM dependencies") == Lines{"mpich|hwloc"});
    CHECK(find_problems(ledger.database(), 10) == Lines{});
}

TEST_CASE("A page in another spelling is the same page, although an index filled its compiler") {
    TempLedger ledger;
    const std::vector<PrintedPage> pages = {{"hwloc", {{.hash = a, .compiler = "none"}}}};
    ledger.take("2025-03-01", pages);
    take_graph(ledger, "2025-03-02", indexes({{"", {b}}}));  // which needs hwloc
    CHECK(ledger.value("SELECT compiler FROM specs WHERE package = 'hwloc'") == "gcc@13.2.0");
    PrintedPage other = pages[0];
    other.specs[0].variants = {"build_system:=cmake"};
    CHECK(ledger.take("2025-03-01", {other}).unchanged == Lines{first});
}

TEST_CASE("A diff of pages and indexes says why specs join and leave stacks") {
    TempLedger ledger;
    ledger.take("2025-03-01", {{"zlib", {{.hash = c, .stacks = {"e4s", "ml", "root"}}}}});
    take_graph(ledger, "2025-03-02", indexes({{"root", {c}}, {"e4s", {c}}}));
    take_graph(ledger, "2025-03-03", indexes({{"root", {c}}, {"ml", {c}}}));
    const Catalog catalog;
    const auto said = [&](const std::string& from, const std::string& to) {
        return remarks(compare_snapshots(ledger.database(), catalog, from, to, {}));
    };
    const std::string sentence =
        first + " is made from pages, " + second +
        " from indexes. Pages also name stacks that list a build without having its binary, so a "
        "build may join or leave a stack here although nothing changed.";
    CHECK(said(first, second) == Lines{sentence});
    CHECK(said(second, first) == Lines{sentence});
    CHECK(said(second, third).empty());
}

TEST_CASE("Reports work on snapshots of indexes") {
    TempLedger ledger;
    take_graph(ledger, "2025-03-01", indexes({{"root", {a, b}}, {"ml", {b}}}));
    take_graph(ledger, "2025-03-02", indexes({{"root", {b, c}}, {"ml", {b, c}}}));
    CHECK(report_rows(ledger, "coverage/summary", {{"at", second}}) ==
          Lines{"2|2|2|2|1|1|1|1|0|0"});
    CHECK(report_rows(ledger, "coverage/stacks", {{"at", first}}) ==
          Lines{"ml|1|1|1|NULL|NULL|NULL", "(no stack)|1|1|1|NULL|NULL|NULL"});
    CHECK(report_rows(ledger, "drift/packages", {{"from", first}, {"to", second}}) ==
          Lines{"package-added|zlib|1", "package-removed|hwloc|1"});
    CHECK(report_rows(ledger, "history/growth", {}) ==
          Lines{"develop|" + first + "|2025-03-01T00:00:00Z|2|2|2|0|NULL",
                "develop|" + second + "|2025-03-02T00:00:00Z|2|2|1|1|50"});
}

}  // namespace graph_load_test
