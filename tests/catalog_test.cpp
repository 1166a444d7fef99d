#include "reports/catalog.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "catch.hpp"
#include "schema/error.hpp"

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
    CHECK_THROWS_MATCHES(catalog.add_folder(folder.path()), UsageError,
                         Message((folder.path() / "bad.sql").string() +
                                 ":1: expected '-- title: ...' as the first line"));
    CHECK_THROWS_MATCHES(catalog.add_folder(folder.path() / "bad.sql"), UsageError,
                         Message((folder.path() / "bad.sql").string() + ": Not a directory"));
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
                         Message("no report 'qqqqqqqqqq'; 'report' without a name lists them"));
}
