#include <fmt/format.h>

#include <string>
#include <vector>

#include "ingest/runs/files/ingest.hpp"
#include "schema/errors/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace bad_page_test {

using namespace cacheledger;
using Lines = std::vector<std::string>;

namespace {

/// A ledger with one snapshot, and a folder of pages to load next to it, good and bad.
class Folder {
  public:
    Folder() {
        ledger_.take("2025-03-01", {{"hwloc", {{.hash = hash_of("h")}}},
                                    {"mpich", {{.hash = hash_of("m")}}},
                                    {"zlib", {{.hash = hash_of("y")}}}});
        write("zlib.md", PrintedPage{"zlib", {{.hash = hash_of("z")}}}.text());
    }

    std::string write(const std::string& name, const std::string& text) {
        return ledger_.folder().write("next/" + name, text).string();
    }

    IngestResult load() { return ledger_.ingest("2025-03-02", {folder()}); }

    IngestResult load_what_is_good() {
        IngestOptions options;
        options.keep_going = true;
        return ledger_.ingest("2025-03-02", {folder()}, options);
    }

    /// Why the folder is refused; the ledger must then be as it was, all of it.
    Lines problems() {
        const auto before = ledger_.tables();
        try {
            load();
        } catch (const InputError& error) {
            CHECK(ledger_.tables() == before);
            return error.problems();
        }
        return {"(none)"};
    }

    Lines specs() {
        return ledger_.rows(
            "SELECT package, substr(hash, 1, 1) FROM specs WHERE snapshot GLOB '*-02T*' "
            "ORDER BY 1");
    }
    Lines findings() {
        return ledger_.rows("SELECT snapshot, package, kind, detail FROM findings ORDER BY kind");
    }
    std::string folder() const { return (ledger_.folder().path() / "next").string(); }
    TempLedger& ledger() { return ledger_; }

  private:
    TempLedger ledger_;
};

const std::string broken_mpich =
    "---\ntitle: mpich\ncategories: [package, develop]\nspec_details: {}\n---";
const std::string second = "develop@2025-03-02T00:00:00Z";

}  // namespace

TEST_CASE("With a bad page nothing is loaded, and each bad page is named") {
    Folder folder;
    const std::string mpich = folder.write("mpich.md", broken_mpich);
    const std::string specs = folder.write("z/specs.md", "");
    CHECK(folder.problems() ==
          Lines{mpich + ":4: spec_details: expected a list, found an object",
                specs + ": the file is empty; expected a page that opens with a line '---'"});
}

TEST_CASE("With --keep-going the good pages are loaded, and the bad ones are findings") {
    Folder folder;
    const std::string problem = folder.write("mpich.md", broken_mpich) +
                                ":4: spec_details: expected a list, found an object";
    const IngestResult result = folder.load_what_is_good();
    CHECK(result.loaded == Lines{second});
    CHECK(result.pages == 1);
    CHECK(result.bad_pages == Lines{problem});
    // mpich is not observed and stays; hwloc has no page and is gone.
    CHECK(folder.specs() == Lines{"mpich|m", "zlib|z"});
    CHECK(folder.findings() == Lines{second + "|mpich|page-unreadable|" + problem});
}

TEST_CASE("A bad page of an unknown package keeps every package from being gone") {
    Folder folder;
    folder.write("unknown.md", "---\nspec_details: [\n---");
    CHECK(folder.load_what_is_good().bad_pages.size() == 1);
    CHECK(folder.specs() == Lines{"hwloc|h", "mpich|m", "zlib|z"});
    REQUIRE(folder.findings().size() == 1);
    CHECK(folder.findings()[0].starts_with(second + "|NULL|page-unreadable|"));
}

TEST_CASE("The folder of a bad page names its package") {
    Folder folder;
    folder.write("_cache/develop/mpich/specs.md", "---\nspec_details: [\n---");
    folder.load_what_is_good();
    CHECK(folder.specs() == Lines{"mpich|m", "zlib|z"});
}

TEST_CASE("Loading bad pages again changes nothing") {
    Folder folder;
    folder.write("mpich.md", broken_mpich);
    folder.load_what_is_good();
    const auto before = folder.ledger().tables();
    CHECK(folder.load_what_is_good().unchanged == Lines{second});
    CHECK(folder.ledger().tables() == before);
}

TEST_CASE("Two pages for one package are an error that names both files") {
    Folder folder;
    const std::string again =
        folder.write("zlib2.md", PrintedPage{"zlib", {{.hash = hash_of("x")}}}.text());
    CHECK(folder.problems() ==
          Lines{fmt::format("{}: a second page for package zlib in {}; the first is {}/zlib.md",
                            again, second, folder.folder())});
    CHECK(folder.load_what_is_good().bad_pages.size() == 1);
    CHECK(folder.specs() == Lines{"zlib|z"});
}

TEST_CASE("Other texts are left out and counted") {
    Folder folder;
    folder.write("about.md", "---\ntitle: About\nlayout: default\n---\n");
    folder.write("README.txt", "Nothing of the kind.\n");
    folder.write("data.json", "{}");
    const IngestResult result = folder.load();
    CHECK(result.pages == 1);
    CHECK(result.other_files == 2);
}

TEST_CASE("A file that is named must be a page") {
    Folder folder;
    const std::string about = folder.write("about.md", "---\nlayout: default\n---\n");
    try {
        folder.ledger().ingest("2025-03-02", {about});
        FAIL("nothing thrown");
    } catch (const InputError& error) {
        CHECK(error.problems().front() == about + ": expected a package page, with 'spec_details'");
    }
}

TEST_CASE("A folder without pages is refused") {
    TempLedger ledger;
    const std::string file = ledger.folder().write("empty/README.txt", "Nothing.\n").string();
    const std::string folder = file.substr(0, file.rfind('/'));
    try {
        ledger.ingest("2025-03-02", {folder});
        FAIL("nothing thrown");
    } catch (const InputError& error) {
        CHECK(error.problems() ==
              Lines{folder + ": no package pages found; expected .md or .txt files that open with "
                             "front matter"});
    }
}

}  // namespace bad_page_test
