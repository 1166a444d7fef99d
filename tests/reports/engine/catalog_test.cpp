#include "reports/engine/catalog/catalog.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>

#include "schema/errors/error.hpp"
#include "tests/support/catch.hpp"

namespace catalog_test {

using namespace cacheledger;
using Catch::Matchers::Message;

namespace {

/// A folder of report files that goes away with the test.
class ReportFolder {
  public:
    ReportFolder() {
        std::string name =
            (std::filesystem::temp_directory_path() / "catalog_test.XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        path_ = name;
    }
    ~ReportFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    ReportFolder(const ReportFolder&) = delete;
    ReportFolder& operator=(const ReportFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

    void write(const std::string& file, const std::string& text) const {
        std::filesystem::create_directories((path_ / file).parent_path());
        std::ofstream(path_ / file) << text;
    }

  private:
    std::filesystem::path path_;
};

}  // namespace

TEST_CASE("Every built-in report is in the catalog, by name") {
    const Catalog catalog;
    CHECK(catalog.reports().size() == report_texts.size());
    CHECK(std::ranges::is_sorted(catalog.reports(), {}, &Report::name));
    for (const auto& [name, text] : report_texts) {
        CHECK(catalog.find(name).sql == text);
    }
}

TEST_CASE("A folder adds its reports, named by their path") {
    const ReportFolder folder;
    folder.write("own/zlib.sql", "-- title: Own\nSELECT 1");
    folder.write("first.sql", "-- title: First\nSELECT 2");
    folder.write("own/notes.txt", "no report");

    Catalog catalog;
    catalog.add_folder(folder.path());
    CHECK(catalog.reports().size() == report_texts.size() + 2);
    CHECK(std::ranges::is_sorted(catalog.reports(), {}, &Report::name));
    CHECK(catalog.find("first").title == "First");
    CHECK(catalog.find("own/zlib").origin == (folder.path() / "own/zlib.sql").string());
}

TEST_CASE("A report of the same name is replaced") {
    const ReportFolder first;
    const ReportFolder second;
    first.write("own/zlib.sql", "-- title: Before\nSELECT 1");
    second.write("own/zlib.sql", "-- title: After\nSELECT 1");

    Catalog catalog;
    catalog.add_folder(first.path());
    catalog.add_folder(second.path() / "");
    CHECK(catalog.reports().size() == report_texts.size() + 1);
    CHECK(catalog.find("own/zlib").title == "After");
}

TEST_CASE("A folder that can't be used is refused") {
    const ReportFolder folder;
    Catalog catalog;
    const auto missing = folder.path() / "missing";
    CHECK_THROWS_MATCHES(catalog.add_folder(missing), UsageError,
                         Message(missing.string() + ": No such file or directory"));
    folder.write("bad.sql", "SELECT 1");
    CHECK_THROWS_MATCHES(catalog.add_folder(folder.path() / "bad.sql"), UsageError,
                         Message((folder.path() / "bad.sql").string() + ": Not a directory"));
}

TEST_CASE("A broken file is a problem of its own report only") {
    const ReportFolder folder;
    folder.write("good.sql", "-- title: Good\nSELECT 1");
    folder.write("bad.sql", "SELECT 1");
    folder.write("coverage/stacks.sql", "-- title: Mine\n-- param: at moment\nSELECT 1");
    std::filesystem::create_symlink("nowhere.sql", folder.path() / "lost.sql");
    std::filesystem::create_symlink("round.sql", folder.path() / "round.sql");
    std::filesystem::create_directory(folder.path() / "folder.sql");
    Catalog catalog;
    catalog.add_folder(folder.path());

    CHECK(catalog.find("good").title == "Good");
    CHECK(catalog.find("coverage/packages").title == "Coverage by package");
    CHECK(catalog.reports().size() == report_texts.size());  // one more, and one less
    const auto file = [&](const std::string& name) { return (folder.path() / name).string(); };
    const std::map<std::string, std::string, std::less<>> problems = {
        {"bad", file("bad.sql") + ":1: expected '-- title: ...' as the first line"},
        {"coverage/stacks",
         file("coverage/stacks.sql") +
             ":2: expected snapshot, glob, text, integer, one-of:, name-of:, package, stack, "
             "series, cause, kind, target, system, compiler or version after the parameter's "
             "name"},
        {"lost", file("lost.sql") + ": no file that can be read"},
        {"round", file("round.sql") + ": no file that can be read"},
    };
    CHECK(catalog.broken() == problems);
    for (const auto& [name, problem] : problems) {
        CHECK_THROWS_MATCHES(catalog.find(name), UsageError, Message(problem));
    }
    CHECK_THROWS_MATCHES(catalog.find("losd"), UsageError,
                         Message("no report 'losd'; did you mean 'lost'?"));

    const ReportFolder mended;
    mended.write("bad.sql", "-- title: Mended\nSELECT 1");
    catalog.add_folder(mended.path());
    CHECK(catalog.find("bad").title == "Mended");
    CHECK(catalog.broken().size() == 3);
}

TEST_CASE("An unknown name gets the nearest as a suggestion") {
    const ReportFolder folder;
    folder.write("zebra/stripes.sql", "-- title: T\nSELECT 1");
    Catalog catalog;
    catalog.add_folder(folder.path());

    const std::string suggestion = "; did you mean 'zebra/stripes'?";
    CHECK_THROWS_MATCHES(catalog.find("zebra/stripe"), UsageError,
                         Message("no report 'zebra/stripe'" + suggestion));
    CHECK_THROWS_MATCHES(catalog.find("stripes"), UsageError,
                         Message("no report 'stripes'" + suggestion));
    CHECK_THROWS_MATCHES(catalog.find("qqqqqqqqqq"), UsageError,
                         Message("no report 'qqqqqqqqqq'; to see all: cacheledger report"));
}

}  // namespace catalog_test
