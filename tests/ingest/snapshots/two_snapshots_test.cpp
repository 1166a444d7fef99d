#include <string>
#include <vector>

#include "schema/ledger/check/check.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/repositories/history_ledger.hpp"

namespace two_snapshots_test {

using namespace cacheledger;
using Lines = std::vector<std::string>;

/// Runs that make two snapshots of one series: dated tags with one prefix.
namespace {

const std::string second = "develop-2025-03-02";
const std::string ninth = "develop-2025-03-09";

class Folder {
  public:
    void write(const std::string& name, const std::string& text) {
        ledger_.folder().write("next/" + name, text);
    }
    void load(bool partial = false) {
        IngestOptions options;
        options.keep_going = true;
        options.replace = true;
        options.partial = partial;
        ledger_.ingest("2025-01-01", {(ledger_.folder().path() / "next").string()}, options);
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

}  // namespace two_snapshots_test
