#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/program/program.hpp"
#include "tests/support/repositories/git_fixture.hpp"

namespace git_history_command_test {

using namespace program;

namespace {

constexpr std::int64_t first_time = 1740787200;  // 2025-03-01T00:00:00Z

/// A folder to run in, with a repository of pages called `pages`.
struct Bench {
    Workbench bench;
    git_fixture::Repository repository{bench.file("pages")};

    Run load(Words more = {}) const {
        Words words{"ingest", "--history", "pages"};
        words.insert(words.end(), more.begin(), more.end());
        return bench.run(words);
    }
};

std::string page_of(const std::string& package, char letter, const std::string& tag = "develop") {
    return page(package, details({entry(letter)}), tag);
}

// A lock file with one node.
std::string lock_of(char letter) {
    const std::string hash(32, letter);
    return R"({"_meta":{"file-type":"spack-lockfile","lockfile-version":5},"roots":[{"hash":")" +
           hash + R"(","spec":"zlib"}],"concrete_specs":{")" + hash +
           R"(":{"name":"zlib","version":"1.3","arch":{"platform":"linux","platform_os":"rhel8",)"
           R"("target":"zen3"},"compiler":{"name":"gcc","version":"13.2.0"},"namespace":"builtin",)"
           R"("package_hash":"abc====","parameters":{"build_system":"makefile"},"hash":")" +
           hash + R"("}}})";
}

}  // namespace

TEST_CASE("ingest --history says what it did, and what it could not read") {
    const Bench bench;
    auto& repository = const_cast<git_fixture::Repository&>(bench.repository);
    repository.write("_cache/develop/zlib/specs.md", page_of("zlib", 'a'));
    repository.commit(first_time);
    repository.write("_cache/develop/zlib/specs.md", "");
    const std::string broken = repository.commit(first_time + 60);
    const auto first = bench.load();
    CHECK(first.status == 0);
    CHECK(first.errors() ==
          Words{"cacheledger: kept as it was: commit " + broken.substr(0, 10) +
                    ": _cache/develop/zlib/specs.md: the file is empty; expected a page that "
                    "opens with a line '---'",
                "cacheledger: note: 1 new finding: 1 page-unreadable; see cacheledger report "
                "history/findings"});
    CHECK(first.out.rfind("2 commits (0 known), 2 with pages, 1 spec (1 new), 2 snapshots loaded "
                          "(0 unchanged, 0 replaced), ",
                          0) == 0);
    const auto again = bench.load();
    CHECK(again.err.empty());
    CHECK(again.out.rfind("2 commits (2 known), 0 with pages, 0 specs (0 new), 0 snapshots loaded "
                          "(0 unchanged, 0 replaced), ",
                          0) == 0);
    CHECK(bench.bench.run({"check"}).status == 0);
}

TEST_CASE("ingest --history --path FILE --tag NAME loads the history of a lock file") {
    Bench bench;
    bench.repository.write("site/spack.lock", lock_of('a'));
    bench.repository.commit(first_time);
    bench.repository.write("site/spack.lock", "{");
    const std::string broken = bench.repository.commit(first_time + 60);
    bench.repository.remove("site/spack.lock");
    bench.repository.commit(first_time + 120);
    const Words options = {"--path", "site/spack.lock", "--tag", "derecho"};
    const auto first = bench.load(options);
    INFO(first);
    CHECK(first.status == 0);
    REQUIRE(first.errors().size() == 2);
    CHECK(first.errors()[0].rfind(
              "cacheledger: kept as it was: commit " + broken.substr(0, 10) + ": site/spack.lock: ",
              0) == 0);
    CHECK(first.errors()[1] ==
          "cacheledger: note: 1 new finding: 1 file-unreadable; see cacheledger report "
          "history/findings");
    CHECK(first.out.rfind("3 commits (0 known), 3 that touched site/spack.lock, 1 spec (1 new), 3 "
                          "snapshots loaded (0 unchanged, 0 replaced), ",
                          0) == 0);
    CHECK(bench.bench.query("SELECT name, specs, kind, extent FROM snapshots ORDER BY 1") ==
          Words{"derecho@2025-03-01T00:00:00Z,1,lock,whole",
                "derecho@2025-03-01T00:01:00Z,1,lock,partial",
                "derecho@2025-03-01T00:02:00Z,0,lock,whole"});
    const auto again = bench.load(options);
    CHECK(again.err.empty());
    CHECK(again.out.rfind("3 commits (3 known), 0 that touched site/spack.lock, ", 0) == 0);
    CHECK(bench.bench.run({"check"}).status == 0);
}

TEST_CASE("A page that moved as it was and changes later is followed across runs") {
    Bench bench;
    const auto pages = [&](const std::string& letters) {
        std::vector<Entry> entries;
        for (const char letter : letters) {
            entries.push_back(entry(letter));
        }
        return page("zlib", details(entries), "develop");
    };
    bench.repository.write("old/zlib/specs.md", pages("abc"));
    bench.repository.commit(first_time);
    CHECK(bench.load().status == 0);
    bench.repository.remove("old/zlib/specs.md");
    bench.repository.write("new/zlib/specs.md", pages("abc"));
    bench.repository.commit(first_time + 60);
    bench.repository.write("new/zlib/specs.md", pages("ad"));
    bench.repository.commit(first_time + 120);
    CHECK(bench.load().status == 0);
    CHECK(bench.bench.run({"check"}).status == 0);
    const auto counts = bench.bench.run({"sql",
                                         "SELECT specs, (SELECT count(*) FROM specs x WHERE "
                                         "x.snapshot_id = s.snapshot_id) AS counted "
                                         "FROM snapshots s ORDER BY taken_at",
                                         "--format", "csv"});
    INFO(counts);
    CHECK(lines_of(counts.out) == Words{"specs,counted", "3,3", "3,3", "2,2"});
}

TEST_CASE("What can't be a history is refused, and leaves no database behind") {
    Bench bench;
    const auto status = [&](const Words& more) {
        const auto run = bench.load(more);
        INFO(run);
        CHECK(run.errors().size() == 1);
        CHECK(!bench.bench.has("cacheledger.db"));
        return run.status;
    };
    CHECK(status({}) == 3);  // no commits
    bench.repository.write("README.md", "# Pages");
    bench.repository.commit(first_time);
    CHECK(status({}) == 3);  // no pages
    bench.repository.write("pages/zlib.md", page_of("zlib", 'a'));
    bench.repository.commit(first_time + 60);
    CHECK(status({"--rev", "nobody"}) == 2);
    CHECK(status({"--rev", "HEAD...HEAD~1"}) == 2);
    CHECK(status({"--path", "../pages"}) == 2);
    CHECK(status({"--path", "/pages"}) == 2);
    CHECK(status({"--path", "other"}) == 3);
    CHECK(status({"--taken-at", "2025-03-01"}) == 2);
    CHECK(status({"--tag", "develop"}) == 2);
    CHECK(status({"--tag", "develop", "--path", "pages"}) == 2);
    CHECK(status({"--tag", "develop", "--path", "pages/zlib.md"}) == 3);
    CHECK(status({"--tag", "develop", "--path", "spack.lock"}) == 3);
    CHECK(status({"--tag", "develop-2025-03-01", "--path", "spack.lock"}) == 2);
    CHECK(status({"--partial"}) == 2);
    CHECK(status({"--keep-going"}) == 2);
    CHECK(status({"--replace"}) == 2);
    CHECK(status({"--jobs", "0"}) == 2);
    CHECK(status({"pages"}) == 2);
    CHECK(bench.bench.run({"ingest", "--history", "nowhere"}).status == 3);
    CHECK(bench.bench.run({"ingest", "--history", "pages/.git/refs"}).status == 3);
    CHECK(bench.bench.run({"ingest", "--rev", "HEAD", "pages"}).status == 2);
    CHECK(bench.bench.run({"ingest", "--path", "x", "pages"}).status == 2);
    CHECK(!bench.bench.has("cacheledger.db"));
    CHECK(bench.load({"--path", "pages"}).status == 0);
    CHECK(bench.bench.snapshots() == 1);
}

}  // namespace git_history_command_test
