#include "ingest/sources/files/page_files.hpp"

#include <algorithm>
#include <atomic>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "schema/errors/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace page_files_test {

using namespace cacheledger;
using Lines = std::vector<std::string>;
using Catch::Matchers::Message;

namespace fs = std::filesystem;

namespace {

Lines names_of(const std::vector<PageFile>& files) {
    Lines names;
    for (const PageFile& file : files) {
        names.push_back(file.path);
    }
    return names;
}

PageFile file_at(const fs::path& path) {
    return {path, path.filename().string(), true, {}};
}

}  // namespace

TEST_CASE("A folder is searched for files that may hold pages") {
    const TempFolder folder;
    for (const auto* name :
         {"b.md", "a.txt", "_cache/develop/zlib/specs.md", "c.json", "d", "e.md.bak", "f.MD"}) {
        folder.write(name, "---");
    }
    fs::create_directories(folder.path() / "folder.md");
    const auto files = find_page_files({folder.path().string()}).files;
    CHECK(names_of(files) == Lines{"_cache/develop/zlib/specs.md", "a.txt", "b.md"});
    CHECK(files[1].file == folder.path() / "a.txt");
    CHECK_FALSE(files[1].named);
}

TEST_CASE("A file that is named is taken, whatever its name") {
    const TempFolder folder;
    const std::string file = folder.write("page.json", "---").string();
    const auto files = find_page_files({file}).files;
    CHECK(names_of(files) == Lines{file});
    CHECK(files[0].named);
}

TEST_CASE("A file that is found twice is taken once") {
    const TempFolder folder;
    const std::string file = folder.write("a.md", "---").string();
    CHECK(find_page_files({file, file}).files.size() == 1);
    CHECK(find_page_files({folder.path().string(), folder.path().string()}).files.size() == 1);
}

TEST_CASE("Every path that is not there is named") {
    const TempFolder folder;
    const std::string one = (folder.path() / "one").string();
    const std::string two = (folder.path() / "two.md").string();
    try {
        find_page_files({one, folder.path().string(), two});
        FAIL("nothing thrown");
    } catch (const InputError& error) {
        CHECK(error.problems() ==
              Lines{one + ": no such file or folder", two + ": no such file or folder"});
    }
}

TEST_CASE("Links to files are followed, links to folders are not") {
    const TempFolder folder;
    folder.write("elsewhere/a.md", "---");
    fs::create_directories(folder.path() / "pages");
    fs::create_symlink(folder.path() / "elsewhere/a.md", folder.path() / "pages/link.md");
    fs::create_directory_symlink(folder.path() / "elsewhere", folder.path() / "pages/elsewhere");
    fs::create_directory_symlink(folder.path() / "pages", folder.path() / "pages/loop");
    CHECK(names_of(find_page_files({(folder.path() / "pages").string()}).files) ==
          Lines{"link.md"});
}

TEST_CASE("The bytes of a file are read") {
    const TempFolder folder;
    const std::string text("a\r\n\0b", 5);
    CHECK(read_page_file(file_at(folder.write("a.md", text))) == text);
    CHECK(read_page_file(file_at(folder.write("b.md", ""))) == "");
}

TEST_CASE("What can't be read is refused") {
    const TempFolder folder;
    CHECK_THROWS_MATCHES(read_page_file(file_at(folder.path())), Problem,
                         Message("expected a regular file"));
    CHECK_THROWS_MATCHES(read_page_file(file_at(folder.path() / "none.md")), Problem,
                         Message("can't be read: No such file or directory"));
    const fs::path large = folder.write("large.md", "");
    fs::resize_file(large, most_page_bytes + 1);
    CHECK_THROWS_MATCHES(read_page_file(file_at(large)), Problem,
                         Message("expected a page of at most 64 MiB"));
}

TEST_CASE("A file that grows and shrinks while it is read is read whole or refused") {
    const TempFolder folder;
    const PageFile file = file_at(folder.write("a.md", ""));
    const std::string piece(1 << 20, 'a');
    std::atomic<bool> done = false;
    std::jthread writer([&] {
        while (!done) {
            std::ofstream stream(file.file, std::ios::binary);  // empties it
            for (int i = 0; i < 8; ++i) {
                stream << piece << std::flush;
            }
        }
    });
    for (int i = 0; i < 300; ++i) {
        std::string text;
        try {
            text = read_page_file(file);  // a CHECK would take what it throws for a failure
        } catch (const Problem& error) {
            CHECK(error.what() == std::string("changed while it was read; try again"));
        }
        CHECK(text.find_first_not_of('a') == std::string::npos);
    }
    done = true;
}

TEST_CASE("A file beside a page is read") {
    const TempFolder folder;
    const PageFile page = file_at(folder.write("zlib/index.md", "---"));
    folder.write("zlib/spec-0.json", "{}");
    CHECK(read_file_beside(page, "spec-0.json") == "{}");
    CHECK_FALSE(read_file_beside(page, "spec-1.json"));
    fs::create_directory(folder.path() / "zlib/spec-2.json");
    CHECK_THROWS_MATCHES(read_file_beside(page, "spec-2.json"), Problem,
                         Message("expected a regular file"));
    fs::create_symlink("nowhere", folder.path() / "zlib/spec-3.json");
    CHECK_THROWS_MATCHES(read_file_beside(page, "spec-3.json"), Problem,
                         Message("can't be read: No such file or directory"));
    fs::resize_file(folder.write("zlib/spec-4.json", ""), most_page_bytes + 1);
    CHECK_THROWS_MATCHES(read_file_beside(page, "spec-4.json"), Problem,
                         Message("expected a page of at most 64 MiB"));
}

}  // namespace page_files_test
