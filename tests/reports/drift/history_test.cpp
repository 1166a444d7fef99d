#include <fmt/format.h>

#include <string>
#include <vector>

#include "reports/questions/history/history.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/names/moment.hpp"
#include "schema/specs/queries/asked_spec.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/filled.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"
#include "tests/support/ledgers/wish_fixture.hpp"

namespace history_test {

using namespace cacheledger;

namespace {

PrintedSpec build(const std::string& stem, const std::string& version, const std::string& variant,
                  const std::vector<std::string>& stacks = {"e4s", "root"}) {
    return {.hash = hash_of(stem), .version = version, .variants = {variant}, .stacks = stacks};
}

SpecHistory find(TempLedger& ledger, const std::string& spec,
                 const std::optional<std::string>& stack = {}, std::size_t most = 99,
                 const std::optional<std::string>& series = "develop") {
    AskedHistory asked{.stack = stack, .series = series, .most = most};
    if (!spec.empty()) {
        asked.query = read_asked_spec(spec);
        asked.typed = spec;
    }
    return find_history(ledger.database(), Catalog(), asked);
}

/// "DATE WORDS" of each event.
Lines told(TempLedger& ledger, const std::string& spec,
           const std::optional<std::string>& stack = {},
           const std::optional<std::string>& series = "develop") {
    Lines lines;
    for (const HistoryEvent& event : find(ledger, spec, stack, 99, series).events) {
        lines.push_back(fmt::format("{} {}", event.taken_at.substr(0, 10), event_words(event, 9)));
    }
    return lines;
}

/// A package whose builds change their versions, options, hashes and stacks, and go and come back.
void fill(TempLedger& ledger) {
    const PrintedPage other = {"zlib", {build("z", "1.3", "+pic")}};
    ledger.take("2024-10-16", {other, {"kokkos", {build("a", "4.4.01", "+openmp")}}});
    ledger.take("2024-10-17", {other, {"kokkos", {build("b", "4.2.01", "+openmp")}}});
    ledger.take("2024-10-18", {other, {"kokkos", {build("c", "4.2.01", "~openmp")}}});
    ledger.take("2024-10-19", {other, {"kokkos", {build("d", "4.2.01", "~openmp")}}});
    ledger.take("2024-10-20",
                {other, {"kokkos", {build("d", "4.2.01", "~openmp", {"ml", "root"})}}});
    ledger.take("2024-10-21", {other});
    ledger.take("2024-10-22", {other,
                               {"kokkos",
                                {build("d", "4.2.01", "~openmp", {"ml", "root"}),
                                 build("e", "4.2.01", "~openmp", {"ml", "root"})}}});
    ledger.take("2024-10-23", {other,
                               {"kokkos",
                                {build("d", "4.2.01", "~openmp", {"ml", "root"}),
                                 build("e", "4.2.01", "~openmp", {"ml", "root"}),
                                 build("f", "4.2.01", "~openmp", {"ml", "root"})}}});
    ledger.take("2024-10-24", {other,
                               {"kokkos",
                                {build("d", "4.2.01", "~openmp", {"ml", "root"}),
                                 build("e", "4.2.01", "~openmp", {"ml", "root"}),
                                 build("f", "4.2.01", "~openmp", {"ml", "root"})}}});
}

}  // namespace

TEST_CASE("The history of a package has a line for each snapshot that changed it") {
    Filled<TempLedger, fill> ledger;
    CHECK(told(ledger, "kokkos") ==
          Lines{"2024-10-16 there from the start: 4.4.01 (1 added)",
                "2024-10-17 4.4.01 -> 4.2.01 (1 removed, 1 added)",
                "2024-10-18 +openmp -> ~openmp (1 removed, 1 added)", "2024-10-19 1 rebuilt",
                "2024-10-20 joined ml (1), left e4s (1)", "2024-10-21 gone (1 removed)",
                "2024-10-22 back: 4.2.01 (2 added)", "2024-10-23 1 more copy",
                "2024-10-24 still there: 3 builds"});
    CHECK(told(ledger, "zlib") == Lines{"2024-10-16 there from the start: 1.3 (1 added)",
                                        "2024-10-24 still there: 1 build"});
}

TEST_CASE("A history of some builds of a package has only what happened to them") {
    Filled<TempLedger, fill> ledger;
    CHECK(told(ledger, "kokkos+openmp") ==
          Lines{"2024-10-16 there from the start: 4.4.01 (1 added)",
                "2024-10-17 4.4.01 -> 4.2.01 (1 removed, 1 added)",
                "2024-10-18 +openmp -> ~openmp (1 removed)"});
    CHECK(told(ledger, "kokkos@4.4") == Lines{"2024-10-16 there from the start: 4.4.01 (1 added)",
                                              "2024-10-17 version 4.4.01 went (1 removed)"});
}

TEST_CASE("The history of a hash says where it was and when") {
    Filled<TempLedger, fill> ledger;
    CHECK(told(ledger, "/d", {}, std::nullopt) ==
          Lines{"2024-10-19 first seen, in e4s", "2024-10-20 joined ml, left e4s",
                "2024-10-21 gone", "2024-10-22 back, in ml", "2024-10-24 still there"});
    const SpecHistory history = find(ledger, hash_of("b"), {}, 99, std::nullopt);
    CHECK(history.spec ==
          "kokkos@4.2.01 %gcc@13.2.0 +openmp platform=linux os=ubuntu24.04 "
          "target=x86_64_v3 /" +
              hash_of("b"));
}

TEST_CASE("A history of nothing says what the spec was before Spack 1.0") {
    Filled<TempLedger, fill> ledger;
    CHECK(find(ledger, "kokkos %gcc +openmp").remarks.back() ==
          "Before Spack 1.0 this asked for 'kokkos +openmp %gcc', which 2 builds match.");
    CHECK(find(ledger, "kokkos %gcc +other").remarks.size() == 1);
}

TEST_CASE("A history can be cut to its newest events") {
    Filled<TempLedger, fill> ledger;
    const SpecHistory history = find(ledger, "kokkos", {}, 2);
    CHECK(history.events.size() == 2);
    CHECK(history.left_out == 7);
    CHECK(history.events[0].copies_added == 1);
}

TEST_CASE("A package that a series observed late is there from the start, not first seen") {
    TempLedger ledger;
    ledger.take("2024-10-16", {{"zlib", {build("z", "1.3", "+pic")}}}, {.partial = true});
    ledger.take("2024-10-17", {{"kokkos", {build("a", "4.4.01", "+openmp")}}}, {.partial = true});
    CHECK(told(ledger, "kokkos") == Lines{"2024-10-17 there from the start: 4.4.01 (1 added)"});
    ledger.take("2024-10-18",
                {{"zlib", {build("z", "1.3", "+pic")}}, {"mpich", {build("m", "4.1", "+pic")}}});
    CHECK(told(ledger, "mpich") == Lines{"2024-10-18 there from the start: 4.1 (1 added)"});
    ledger.take("2024-10-19", {{"gmp", {build("g", "6.1", "+pic")}}});
    CHECK(told(ledger, "gmp") == Lines{"2024-10-19 first seen: 6.1 (1 added)"});
}

TEST_CASE("A history needs a spec or a stack, and a package that the ledger has") {
    Filled<TempLedger, fill> ledger;
    CHECK_THROWS_AS(told(ledger, ""), UsageError);
    CHECK_THROWS_AS(told(ledger, "kokko"), UsageError);
    CHECK_THROWS_AS(told(ledger, "kokkos@@"), UsageError);
    // A spec that nothing matches is answered, and the answer is no.
    CHECK(told(ledger, "kokkos@9").empty());
    CHECK(told(ledger, "/zzzz").empty());
}

TEST_CASE("A history leaves the ledger as it reads it") {
    Filled<TempLedger, fill> ledger;
    const auto before = ledger.tables();
    told(ledger, "kokkos");
    CHECK(ledger.value("SELECT count(*) FROM temp.sqlite_schema WHERE type <> 'view'") == "0");
    CHECK(ledger.tables() == before);
}

TEST_CASE("A history counts as many added and removed specs as the view changes") {
    Filled<TempLedger, fill> ledger;
    for (const std::string package : {"kokkos", "zlib"}) {
        for (const HistoryEvent& event : find(ledger, package).events) {
            INFO(package << " " << event.taken_at);
            const auto count = [&](const char* change) {
                return ledger.value(
                    fmt::format("SELECT count(*) FROM changes WHERE snapshot = '{}' AND package = "
                                "'{}' AND change = '{}'",
                                event.snapshot, package, change));
            };
            CHECK(std::to_string(event.added) == count("added"));
            CHECK(std::to_string(event.removed) == count("removed"));
        }
    }
}

TEST_CASE("The history of a spec without a package counts builds over all packages") {
    Filled<TempLedger, fill> ledger;
    CHECK(told(ledger, "+openmp") == Lines{"2024-10-16 there from the start: kokkos 1",
                                           "2024-10-17 +1 -1: kokkos +1 -1",
                                           "2024-10-18 -1: kokkos -1"});
    const SpecHistory gone = find(ledger, "+openmp");
    REQUIRE(gone.seen);
    CHECK(gone.seen->newest == 0);
    CHECK(format_moment(gone.seen->first) == "2024-10-16T00:00:00Z");
    CHECK(format_moment(gone.seen->last) == "2024-10-17T00:00:00Z");
    CHECK(told(ledger, "target=x86_64_v3").back() == "2024-10-24 still there");
    const SpecHistory all = find(ledger, "target=x86_64_v3", {}, 2);
    CHECK(all.left_out == 6);
    CHECK(all.events.back().builds == 4);
    CHECK(all.seen->newest == 4);
    CHECK(told(ledger, "%gcc@99").empty());
}

TEST_CASE("In the history of a stack, builds that join it came, and builds that leave it went") {
    Filled<TempLedger, fill> ledger;
    const std::string gained =
        "; new packages: kokkos; new compilers: gcc@13.2.0; new targets: x86_64_v3";
    CHECK(told(ledger, "", "ml") ==
          Lines{"2024-10-20 born: +1: kokkos +1" + gained,
                "2024-10-21 switched off: -1: kokkos -1; packages gone: kokkos; compilers gone: "
                "gcc@13.2.0; targets gone: x86_64_v3",
                "2024-10-22 back: +2: kokkos +2" + gained, "2024-10-23 +1: kokkos +1",
                "2024-10-24 still there"});
    CHECK(told(ledger, "kokkos", "ml") ==
          Lines{"2024-10-20 first seen: 4.2.01 (1 added)", "2024-10-21 gone (1 removed)",
                "2024-10-22 back: 4.2.01 (2 added)", "2024-10-23 1 more copy",
                "2024-10-24 still there: 3 builds"});
    CHECK(told(ledger, "kokkos", "e4s").back() == "2024-10-20 gone (1 removed)");
    // A build that stays in one of the stacks stays.
    CHECK(told(ledger, "target=x86_64_v3", "*") == told(ledger, "target=x86_64_v3"));
    CHECK(told(ledger, "kokkos", "(no stack)").empty());
    CHECK(find(ledger, "zlib", "ml").remarks ==
          Lines{"The series develop has such builds, but none in the stack ml."});
}

TEST_CASE("Builds whose stacks were not known before may not be new in a stack") {
    TempLedger ledger;
    ledger.take("2024-10-16", {{"zlib", {build("z", "1.3", "+pic")}}});
    ledger.database().exec("UPDATE presence SET stack_set_id = NULL");
    ledger.take("2024-10-17", {{"zlib", {build("z", "1.3", "+pic"), build("y", "1.3", "+pic")}}});
    const SpecHistory history = find(ledger, "", "e4s");
    REQUIRE(history.events.size() == 1);
    CHECK(history.events[0].added == 2);
    CHECK(history.events[0].unknown == 1);
}

TEST_CASE("A package that a series observed late may not be new") {
    TempLedger ledger;
    ledger.take("2024-10-16", {{"zlib", {build("z", "1.3", "+pic")}}}, {.partial = true});
    ledger.take("2024-10-17", {{"kokkos", {build("a", "4.4.01", "+pic")}}}, {.partial = true});
    ledger.take("2024-10-18", {{"zlib", {build("y", "1.3", "+pic")}}}, {.partial = true});
    CHECK(told(ledger, "+pic") ==
          Lines{"2024-10-16 there from the start: zlib 1",
                "2024-10-17 +1: kokkos +1 (of 1 it is not known whether they are new)",
                "2024-10-18 +1 -1: zlib +1 -1"});
}

TEST_CASE("The history of a stack tells what it gained and lost") {
    TempLedger ledger;
    const auto page = [](const std::string& package, const std::string& stem,
                         const std::string& compiler, const std::vector<std::string>& stacks) {
        PrintedSpec spec{.hash = hash_of(stem), .compiler = compiler, .stacks = stacks};
        return PrintedPage{package, {spec}};
    };
    const PrintedPage other = page("cmake", "c", "gcc@13.2.0", {"ml", "root"});
    const std::string old_gcc = "gcc@12.1.0";
    const std::string new_gcc = "gcc@13.2.0";
    ledger.take("2025-03-01", {other});
    ledger.take("2025-03-02", {other, page("zlib", "z", old_gcc, {"hep", "root"})});
    ledger.take("2025-03-03", {other, page("zlib", "z", old_gcc, {"hep", "root"}),
                               page("hdf5", "h", new_gcc, {"hep", "root"})});
    ledger.take("2025-03-04", {other, page("hdf5", "h", new_gcc, {"hep", "root"})});
    ledger.take("2025-03-05", {other, page("hdf5", "h", new_gcc, {"hep2", "root"})});
    ledger.take("2025-03-06", {other});
    add_wishes(ledger.database(), "hep", "2025-03-01", {{"zlib"}, {"hdf5"}});
    CHECK(told(ledger, "", "hep") ==
          Lines{"2025-03-02 born: +1: zlib +1; new packages: zlib; new compilers: gcc@12.1.0; new "
                "targets: x86_64_v3; wishes met: zlib",
                "2025-03-03 +1: hdf5 +1; new packages: hdf5; new compilers: gcc@13.2.0; wishes "
                "met: hdf5",
                "2025-03-04 -1: zlib -1; packages gone: zlib; compilers gone: gcc@12.1.0; wishes "
                "lost: zlib",
                "2025-03-05 renamed to hep2 (1 build moved): -1: hdf5 -1; packages gone: hdf5; "
                "compilers gone: gcc@13.2.0; targets gone: x86_64_v3; wishes lost: hdf5"});
    CHECK(told(ledger, "", "hep2") ==
          Lines{"2025-03-05 renamed from hep (1 build moved): +1: hdf5 +1; new packages: hdf5; new "
                "compilers: gcc@13.2.0; new targets: x86_64_v3",
                "2025-03-06 switched off: -1: hdf5 -1; packages gone: hdf5; compilers gone: "
                "gcc@13.2.0; targets gone: x86_64_v3"});
}

}  // namespace history_test
