#include <fmt/format.h>

#include <string>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/pages/page/page.hpp"
#include "ingest/runs/files/ingest.hpp"
#include "schema/errors/error.hpp"
#include "schema/text/digest.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace bad_page_test {

using namespace cacheledger;

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
        return ledger_.ingest("2025-03-02", {folder()}, {.keep_going = true});
    }

    /// Why the folder is refused; the ledger must then be as it was, all of it.
    Lines problems() {
        return ledger_.refusal([&] { load(); });
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

std::string digest_of(std::string_view content) {
    return to_hex(blob_id(content));
}

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
    CHECK(refusal_of([&] { folder.ledger().ingest("2025-03-02", {about}); }).front() ==
          about + ": expected a package page, with 'spec_details'");
}

TEST_CASE("A folder without pages is refused") {
    TempLedger ledger;
    const std::string file = ledger.folder().write("empty/README.txt", "Nothing.\n").string();
    const std::string folder = file.substr(0, file.rfind('/'));
    CHECK(refusal_of([&] { ledger.ingest("2025-03-02", {folder}); }) ==
          Lines{folder + ": no package pages found; expected .md or .txt files that open with "
                         "front matter"});
}

// The expected ones are what `git hash-object` prints.
TEST_CASE("A digest is the git blob id") {
    CHECK(digest_of("") == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
    CHECK(digest_of("hello\n") == "ce013625030ba8dba906f756967f9e9ca394464a");
    CHECK(digest_of("test content\n") == "d670460b4b4aece5915caf5c68d12f560a9fe3e4");
    CHECK(digest_of(std::string_view("\0", 1)) == "f76dd238ade08917e6712764a16a22005a50573d");
}

// What `git write-tree` prints for these files.
TEST_CASE("A folder has its git tree id") {
    const TreeEntry page{"index.md", blob_id("hello\n")};
    const TreeEntry tenth{"spec-10.json", blob_id("")};
    const TreeEntry second{"spec-2.json", blob_id("test content\n")};
    CHECK(to_hex(tree_id({second, page, tenth})) == "3f80b992ade0f895b144b8cb600d35460996787f");
    CHECK(to_hex(tree_id({})) == "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
}

TEST_CASE("A digest tells contents apart") {
    CHECK(blob_id("a") == blob_id("a"));
    CHECK(blob_id("a") != blob_id("b"));
    CHECK(blob_id("a\n") != blob_id("a\r\n"));
}

TEST_CASE("A problem is formatted with all that is known of its place") {
    Problem problem("hash", "expected a text, found null");
    problem.enter("spec_details[3]");
    problem.file = "zlib.md";
    CHECK(problem.message() == "zlib.md: spec_details[3]: hash: expected a text, found null");
    const auto read = [&] { throw problem; };
    try {
        at_line(6, read);
    } catch (const Problem& thrown) {
        CHECK(thrown.message() == "zlib.md:6: spec_details[3]: hash: expected a text, found null");
    }
    problem.line = 7;
    CHECK_THROWS_MATCHES(at_line(6, read), Problem,
                         Catch::Matchers::Predicate<Problem>(
                             [](const Problem& thrown) { return thrown.line == 7; }));
}

TEST_CASE("A finding is the same at any entry of a page") {
    const PageFinding finding{"unknown-field", entry_place(3), "'x' is not known"};
    CHECK(finding.detail() == "spec_details[3]: 'x' is not known");
    CHECK(finding.is_at_any_entry("spec_details[3]: 'x' is not known"));
    CHECK(finding.is_at_any_entry("spec_details[12]: 'x' is not known"));
    CHECK_FALSE(finding.is_at_any_entry("spec_details[3]: 'y' is not known"));
    CHECK_FALSE(finding.is_at_any_entry("spec_details[3]: 'a]: 'x' is not known"));
    CHECK_FALSE(finding.is_at_any_entry("]: 'x' is not known"));
    CHECK_FALSE(finding.is_at_any_entry("'x' is not known"));
    const PageFinding other{"meta-mismatch", "versions", "meta has 2"};
    CHECK(other.is_at_any_entry("versions: meta has 2"));
    CHECK_FALSE(other.is_at_any_entry("targets: meta has 2"));
}

TEST_CASE("Findings beyond a number are counted") {
    Findings some;
    for (std::size_t i = 0; i < most_findings - 1; ++i) {
        some.add("unknown-field", "", std::to_string(i));
    }
    CHECK(some.all().size() == most_findings - 1);
    Findings more = some;
    more.add(some);
    const auto all = more.all();
    REQUIRE(all.size() == most_findings + 1);
    CHECK(all[most_findings - 1].text == "0");
    CHECK(all.back().detail() == "998 more, not kept");
}

}  // namespace bad_page_test
