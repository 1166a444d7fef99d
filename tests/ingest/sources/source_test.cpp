#include <atomic>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <thread>

#include "ingest/pages/page/page.hpp"
#include "ingest/sources/files/page_files.hpp"
#include "ingest/sources/pages/source.hpp"
#include "schema/errors/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace source_test {

using namespace cacheledger;
using Catch::Matchers::Message;

namespace fs = std::filesystem;

namespace {

/// An example of a format: a first line with the package and the tag, then a line for each spec
/// with its hash and version.
Content read_text(const std::string& path, const std::string& text) {
    const auto values = std::make_shared<SharedValues>();
    Page page;
    page.digest = blob_id(text);
    page.values = values;
    std::istringstream lines(text);
    if (!(lines >> page.package >> page.tag.emplace())) {
        Problem problem("expected a package and a tag", 1);
        problem.file = path;
        return BadPage{problem};
    }
    for (std::string hash, version; lines >> hash >> version;) {
        SpecEntry& spec = page.specs.emplace_back();
        spec.hash = dag_hash(hash);
        spec.version = values->text(version);
        spec.arch = values->arch("linux", "ubuntu24.04", "x86_64_v3");
        spec.variants = values->variants(std::vector<std::string_view>());
    }
    page.num_specs = page.specs.size();
    return page;
}

/// The example of a source in ingest/sources/pages/source.hpp.
class TextSource : public Source {
  public:
    explicit TextSource(std::map<std::string, std::string> texts) : texts_(std::move(texts)) {}
    std::size_t size() const override { return texts_.size(); }
    void begin(Earlier& earlier) override {
        known_ = earlier.known_pages();
        at_ = texts_.begin();
    }
    std::optional<Loadable> next() override {
        if (at_ == texts_.end()) {
            return std::nullopt;
        }
        const auto& [path, text] = *at_++;
        return made_known({{path, path}, read_text(path, text)}, known_);
    }

  private:
    std::map<std::string, std::string> texts_;  // by path
    std::map<std::string, std::string>::const_iterator at_;
    FindKnown known_;
};

struct Ledger : TempLedger {
    IngestResult load(const std::string& moment, std::map<std::string, std::string> texts) {
        TextSource source(std::move(texts));
        return cacheledger::ingest(
            database(), source,
            {.source = "texts", .taken_at = parse_moment(moment), .keep_going = true},
            [](std::size_t, std::size_t) {});
    }
};

const std::string zlib = "zlib develop\n" + hash_of("a") + " 1.3\n" + hash_of("b") + " 1.2\n";

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

TEST_CASE("A source of another kind is loaded like a folder") {
    Ledger ledger;
    const auto result = ledger.load("2025-03-01", {{"a.txt", zlib}, {"b.txt", "hwloc"}});
    CHECK(result.loaded == Lines{"develop@2025-03-01T00:00:00Z"});
    CHECK(result.bad_pages == Lines{"b.txt:1: expected a package and a tag"});
    CHECK(ledger.rows("SELECT package, version, compiler, stacks FROM specs ORDER BY hash") ==
          Lines{"zlib|1.3|NULL|NULL", "zlib|1.2|NULL|NULL"});
    CHECK(ledger.rows("SELECT kind, detail FROM findings") ==
          Lines{"page-unreadable|b.txt:1: expected a package and a tag"});
    CHECK(ledger.rows("SELECT source FROM snapshots") == Lines{"texts"});
}

TEST_CASE("A known page of any source is read again only if its specs are needed") {
    Ledger ledger;
    ledger.load("2025-03-01", {{"a.txt", zlib}});
    CHECK(ledger.load("2025-03-01", {{"a.txt", zlib}}).loaded.empty());
    CHECK(ledger.load("2025-03-02", {{"b.txt", zlib}}).new_specs == 0);
    ledger.load("2025-03-03", {{"c.txt", "hwloc develop\n"}});
    CHECK(ledger.load("2025-03-04", {{"a.txt", zlib}}).new_specs == 0);
    CHECK(ledger.rows("SELECT taken_at, specs FROM snapshots ORDER BY 1") ==
          Lines{"2025-03-01T00:00:00Z|2", "2025-03-02T00:00:00Z|2", "2025-03-03T00:00:00Z|0",
                "2025-03-04T00:00:00Z|2"});
    CHECK(ledger.value("SELECT count(*) FROM page") == "2");
}

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
    CHECK(refusal_of([&] {
              find_page_files({one, folder.path().string(), two});
          }) == Lines{one + ": no such file or folder", two + ": no such file or folder"});
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

}  // namespace source_test
