#include "ingest/runs/files/ingest.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "ingest/snapshots/forget.hpp"
#include "schema/errors/error.hpp"
#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace ingest_test {

using namespace cacheledger;

namespace {

const std::string pages = std::string(paths::data) + "/pages";

}  // namespace

// The numbers of the sample pages were counted apart from this program.
TEST_CASE("The sample pages are loaded") {
    TempLedger ledger;
    const IngestResult result = ledger.ingest("2025-04-02T06:00:00Z", {pages + "/later"});
    CHECK(result.pages == 4);
    CHECK(result.specs == 339);
    CHECK(result.new_specs == 339);
    CHECK(result.other_files == 0);
    CHECK(result.loaded == Lines{"develop@2025-04-02T06:00:00Z"});
    CHECK(result.unchanged.empty());
    CHECK(ledger.rows("SELECT package, version, count(*) FROM specs GROUP BY 1, 2 ORDER BY 1, 2") ==
          Lines{"py-ml-dtypes|0.3.1|11", "py-ml-dtypes|0.4.0|118", "py-safetensors|0.4.5|116",
                "py-tokenizers|0.21.0|32", "py-transformers|4.48.3|62"});
    CHECK(ledger.rows("SELECT compiler, count(*) FROM specs GROUP BY 1 ORDER BY 1") ==
          Lines{"apple-clang@16.0.0|84", "gcc@11.4.0|28", "gcc@13.2.0|227"});
    CHECK(ledger.rows("SELECT stack, count(*) FROM spec_stacks GROUP BY 1 ORDER BY 1") ==
          Lines{"e4s|22", "e4s-neoverse_v1|6", "ml-darwin-aarch64-mps|84",
                "ml-linux-aarch64-cpu|98", "ml-linux-aarch64-cuda|94", "ml-linux-x86_64-cpu|107",
                "ml-linux-x86_64-cuda|95", "ml-linux-x86_64-rocm|62", "root|339"});
    CHECK(ledger.rows("SELECT platform, os, target, count(*) FROM specs GROUP BY 1, 2, 3 "
                      "ORDER BY 1, 2, 3") ==
          Lines{"darwin|sequoia|aarch64|84", "linux|ubuntu22.04|neoverse_v1|6",
                "linux|ubuntu22.04|x86_64_v3|22", "linux|ubuntu24.04|aarch64|98",
                "linux|ubuntu24.04|x86_64_v3|129"});
    CHECK(ledger.value("SELECT count(*) FROM variant_set") == "1");
    CHECK(ledger.value("SELECT count(*) FROM stack_set") == "11");
    CHECK(ledger.rows("SELECT * FROM findings").empty());
}

TEST_CASE("The sample pages of two moments are one series") {
    TempLedger ledger;
    ledger.ingest("2025-04-02", {pages + "/later"});
    const IngestResult result = ledger.ingest("2025-03-26", {pages + "/earlier"});
    CHECK(result.new_specs == 51);
    CHECK(ledger.rows("SELECT name, packages, specs FROM snapshots ORDER BY taken_at") ==
          Lines{"develop@2025-03-26T00:00:00Z|1|51", "develop@2025-04-02T00:00:00Z|4|339"});
    CHECK(ledger.rows("SELECT snapshot, change, count(*) FROM changes GROUP BY 1, 2 "
                      "ORDER BY 1, 2") == Lines{"develop@2025-03-26T00:00:00Z|added|51",
                                                "develop@2025-04-02T00:00:00Z|added|339",
                                                "develop@2025-04-02T00:00:00Z|removed|51"});
    // The older spelling of compilers makes no look of its own.
    CHECK(ledger.value("SELECT count(*) FROM compiler") == "3");
}

TEST_CASE("A page's digest is its git blob id") {
    TempLedger ledger;
    ledger.ingest("2025-03-26", {pages + "/earlier"});
    CHECK(ledger.rows("SELECT package, path, digest, num_specs FROM pages") ==
          Lines{"py-safetensors|004_3e9248ff7dd94f02.txt|"
                "44605abdd3a055c534e66174c7916be1ec7911b6|51"});
}

TEST_CASE("Any number of threads gives the same") {
    TempLedger one;
    TempLedger several;
    one.ingest("2025-04-02", {pages + "/later"});
    const unsigned jobs = 4;
    several.ingest("2025-04-02", {pages + "/later"}, {}, jobs);
    CHECK(one.tables() == several.tables());
}

TEST_CASE("Ingesting again changes nothing and says so") {
    TempLedger ledger;
    ledger.ingest("2025-04-02", {pages + "/later"});
    const auto before = ledger.tables();
    const IngestResult again = ledger.ingest("2025-04-02", {pages + "/later"});
    CHECK(again.loaded.empty());
    CHECK(again.new_specs == 0);
    CHECK(again.unchanged == Lines{"develop@2025-04-02T00:00:00Z"});
    CHECK(ledger.tables() == before);
    const IngestResult replaced = ledger.ingest("2025-04-02", {pages + "/later"}, replacing);
    CHECK(replaced.replaced.empty());
    CHECK(replaced.unchanged == Lines{"develop@2025-04-02T00:00:00Z"});
    CHECK(ledger.tables() == before);
}

TEST_CASE("The same content in another spelling changes nothing") {
    TempLedger ledger;
    PrintedSpec printed{.hash = hash_of("zlib"),
                        .compiler = "oneapi@=2024.2.1",
                        .variants = {"fabrics=sockets,tcp", "+mpi"},
                        .stacks = {"root", "e4s"}};
    ledger.take("2025-03-30", {{"zlib", {printed}}});
    const auto before = ledger.tables();
    printed.compiler = "intel-oneapi-compilers@2024.2.1";
    printed.variants = {"mpi=True", "fabrics:=tcp,sockets"};
    printed.stacks = {"e4s", "root"};
    const IngestResult again = ledger.take("2025-03-30", {{"zlib", {printed}}});
    CHECK(again.unchanged == Lines{"develop@2025-03-30T00:00:00Z"});
    CHECK(ledger.tables() == before);
}

TEST_CASE("Other content for the same moment is refused, naming the first page that differs") {
    TempLedger ledger;
    ledger.take("2025-03-30", {{"hwloc", {spec("h")}}, {"zlib", {spec("z")}}});
    const std::string refused =
        "develop@2025-03-30T00:00:00Z is in the ledger with other content: ";
    const auto refusal_of = [&](const std::vector<PrintedPage>& given) {
        return ledger.refusal([&] { ledger.take("2025-03-30", given); });
    };
    CHECK(refusal_of({{"hwloc", {spec("h")}}, {"zlib", {spec("y")}}}) ==
          Lines{fmt::format("{}{}/pages/develop/zlib.md is another page than it has; --replace "
                            "replaces it",
                            refused, ledger.folder().path().string())});
    CHECK(refusal_of({{"hwloc", {spec("h")}}}) ==
          Lines{refused + "it has a page of zlib, which is not given now; --replace replaces it"});
    CHECK(refusal_of({{"hwloc", {spec("h")}}, {"mpich", {spec("m")}}, {"zlib", {spec("y")}}}) ==
          Lines{fmt::format("{}{}/pages/develop/mpich.md is of a package that it does not have; "
                            "--replace replaces it",
                            refused, ledger.folder().path().string())});
}

TEST_CASE("Another stack is other content") {
    TempLedger ledger;
    ledger.take("2025-03-30", {{"zlib", {spec("z")}}});
    PrintedSpec moved = spec("z");
    moved.stacks = {"ml", "root"};
    CHECK(ledger.refusal([&] {
        ledger.take("2025-03-30", {{"zlib", {moved}}});
    }) != Lines{"(none)"});
}

TEST_CASE("A page with the same specs and other findings is other content") {
    const std::string clean = PrintedPage{"zlib", {spec("z")}}.text();
    const auto with = [&](const std::string& part, const std::string& by) {
        std::string text = clean;
        return text.replace(text.find(part), part.size(), by);
    };
    const std::string findings = "SELECT kind, detail FROM findings ORDER BY kind, detail";
    const std::string now = "develop@2025-03-30T00:00:00Z";
    for (const std::string& odd :
         {with("meta:", "colour: red\nmeta:"), with("develop]", "develop, tools]"),
          with("layout: cache", "layout: default"), clean + "\nmore text",
          with("meta:", "spec_names:\n- zlib+x\nmeta:"),
          with("\"num_specs\": 1", "\"num_specs\": 2"), with("meta: {\"num_specs\": 1}\n", ""),
          with("\"compiler\"", "\"a\": 1, \"compiler\"")}) {
        INFO(odd);
        for (const bool first_is_clean : {true, false}) {
            TempLedger ledger;
            const auto load = [&](bool is_clean, IngestOptions options = {}) {
                const auto file = ledger.folder().write("zlib.md", is_clean ? clean : odd);
                return ledger.ingest("2025-03-30", {file.string()}, std::move(options));
            };
            load(first_is_clean);
            CHECK(ledger.rows(findings).empty() == first_is_clean);
            CHECK(ledger.refusal([&] { load(!first_is_clean); }) ==
                  Lines{fmt::format("{} is in the ledger with other content: {}/zlib.md is another "
                                    "page than it has; --replace replaces it",
                                    now, ledger.folder().path().string())});
            CHECK(load(!first_is_clean, replacing).replaced == Lines{now});
            CHECK(ledger.rows(findings).empty() != first_is_clean);
            CHECK(load(!first_is_clean).unchanged == Lines{now});
        }
    }
}

TEST_CASE("A page with the same findings in another spelling is the same content") {
    TempLedger ledger;
    PrintedSpec odd = spec("z");
    odd.more = R"(, "colour": "red")";
    const auto load = [&](const std::vector<PrintedSpec>& specs, const std::string& lines) {
        std::string text = PrintedPage{"zlib", specs, "develop", R"({"num_specs": 3})"}.text();
        text.insert(text.find("meta:"), lines);
        const auto file = ledger.folder().write("zlib.md", text);
        return ledger.ingest("2025-03-30", {file.string()});
    };
    load({spec("y"), odd}, "colour: red\nsize: 1\n");
    const auto before = ledger.tables();
    CHECK(ledger.value("SELECT count(*) FROM findings") == "4");
    odd.more = R"(, "colour": "blue")";
    odd.compiler = "gcc@=13.2.0";
    CHECK(load({odd, spec("y")}, "size: 2\n\"colour\": blue\n").unchanged.size() == 1);
    CHECK(ledger.tables() == before);
    // As often as before.
    PrintedSpec more = spec("y");
    more.more = odd.more;
    CHECK(ledger.refusal([&] { load({odd, more}, "size: 2\ncolour: blue\n"); }) != Lines{"(none)"});
}

TEST_CASE("The same text is the same content, whatever was found on it once") {
    TempLedger ledger;
    const std::vector<PrintedPage> given = {
        {"zlib", {spec("z")}, "develop", R"({"num_specs": 3})"}};
    ledger.take("2025-03-30", given);
    ledger.database().exec("DELETE FROM finding");
    const auto before = ledger.tables();
    CHECK(ledger.take("2025-03-30", given).unchanged.size() == 1);
    CHECK(ledger.tables() == before);
}

TEST_CASE("A snapshot is replaced, and nothing of it stays") {
    TempLedger ledger;
    ledger.take("2025-03-30", {{"hwloc", {spec("h")}}, {"zlib", {spec("y")}}});
    const IngestResult result = ledger.take("2025-03-30", {{"zlib", {spec("z")}}}, replacing);
    CHECK(result.replaced == Lines{"develop@2025-03-30T00:00:00Z"});
    CHECK(result.loaded == result.replaced);
    CHECK(ledger.rows("SELECT package, hash FROM specs") == Lines{"zlib|" + hash_of("z")});
    CHECK(ledger.value("SELECT count(*) FROM package") == "1");
    CHECK(ledger.value("SELECT count(*) FROM spec") == "1");
    CHECK(ledger.value("SELECT count(*) FROM page") == "1");
}

TEST_CASE("Replacing one snapshot leaves another with the same content as it is") {
    TempLedger ledger;
    PrintedSpec printed = spec("z");
    ledger.take("2025-03-30", {{"zlib", {printed}, "v1.0", ""}, {"zlib", {spec("y")}}});
    const std::string pages_of_v1 =
        "SELECT snapshot_id, digest FROM pages WHERE snapshot GLOB 'v1*'";
    const Lines before = ledger.rows(pages_of_v1);
    printed.compiler = "gcc@=13.2.0";
    const IngestResult result = ledger.take(
        "2025-03-30", {{"zlib", {printed}, "v1.0", ""}, {"zlib", {spec("x")}}}, replacing);
    CHECK(result.replaced == Lines{"develop@2025-03-30T00:00:00Z"});
    CHECK(result.unchanged == Lines{"v1.0@2025-03-30T00:00:00Z"});
    CHECK(ledger.rows(pages_of_v1) == before);
}

TEST_CASE("A partial snapshot leaves other packages as they were") {
    TempLedger ledger;
    ledger.take("2025-03-01", {{"hwloc", {spec("h")}}, {"zlib", {spec("y")}}});
    ledger.take("2025-03-02", {{"zlib", {spec("z")}}}, partial);
    CHECK(ledger.rows("SELECT package, hash FROM specs WHERE tag = 'develop' AND taken_at GLOB "
                      "'2025-03-02*' ORDER BY 1") ==
          Lines{"hwloc|" + hash_of("h"), "zlib|" + hash_of("z")});
    CHECK(ledger.rows("SELECT extent, packages, specs FROM snapshots ORDER BY taken_at") ==
          Lines{"whole|2|2", "partial|2|2"});
    CHECK(ledger.rows("SELECT package FROM pages WHERE snapshot GLOB '*-02T*'") == Lines{"zlib"});
    ledger.take("2025-03-03", {{"zlib", {spec("z")}}});
    CHECK(ledger.rows("SELECT package, change FROM changes WHERE snapshot GLOB '*-03T*'") ==
          Lines{"hwloc|removed"});
}

TEST_CASE("A whole snapshot is not a partial one") {
    TempLedger ledger;
    ledger.take("2025-03-30", {{"zlib", {spec("z")}}});
    CHECK(ledger.refusal([&] {
        ledger.take("2025-03-30", {{"zlib", {spec("z")}}}, partial);
    }) == Lines{"develop@2025-03-30T00:00:00Z is in the ledger with other content: it was loaded "
                "without --partial; --replace replaces it"});
}

TEST_CASE("A run makes one snapshot for each tag") {
    TempLedger ledger;
    const std::vector<PrintedPage> given = {{"zlib", {spec("z")}, "develop", ""},
                                            {"zlib", {spec("y")}, "v1.0", ""},
                                            {"zlib", {spec("x")}, "develop-2025-03-23", ""},
                                            {"zlib", {spec("w")}, "develop-2025-03-30", ""}};
    const IngestResult result = ledger.take("2025-04-02T06:00:00Z", given);
    CHECK(result.loaded.size() == 4);
    // A dated tag's moment is its date.
    CHECK(ledger.rows("SELECT name, tag, series, taken_at FROM snapshots ORDER BY name") ==
          Lines{"develop-2025-03-23|develop-2025-03-23|develop-*|2025-03-23T00:00:00Z",
                "develop-2025-03-30|develop-2025-03-30|develop-*|2025-03-30T00:00:00Z",
                "develop@2025-04-02T06:00:00Z|develop|develop|2025-04-02T06:00:00Z",
                "v1.0@2025-04-02T06:00:00Z|v1.0|v1.0|2025-04-02T06:00:00Z"});
}

TEST_CASE("A tag can be given") {
    TempLedger ledger;
    IngestOptions options{.tag = "mirror"};
    CHECK(ledger.take("2025-03-30", {{"zlib", {spec("z")}}}, options).loaded ==
          Lines{"mirror@2025-03-30T00:00:00Z"});
    options.tag = "a b";
    CHECK_THROWS_AS(ledger.take("2025-03-30", {{"zlib", {spec("z")}}}, options), UsageError);
}

TEST_CASE("Pages from before tags are untagged") {
    TempLedger ledger;
    const auto file = ledger.folder().write(
        "zlib.md", "---\ntitle: zlib\ncategory: package\nmeta: {}\nspec_details: []\n---");
    CHECK(ledger.ingest("2022-05-01", {file.string()}).loaded ==
          Lines{"untagged@2022-05-01T00:00:00Z"});
}

}  // namespace ingest_test
