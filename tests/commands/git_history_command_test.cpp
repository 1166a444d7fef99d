#include <string>

#include "tests/program/program.hpp"
#include "tests/repositories/git_fixture.hpp"
#include "tests/support/catch.hpp"

using program::contains;
using program::Words;

namespace {

constexpr std::int64_t first_time = 1740787200;  // 2025-03-01T00:00:00Z

/// A folder to run in, with a repository of pages called `pages`.
struct Bench {
    program::Workbench bench;
    git_fixture::Repository repository{bench.file("pages")};

    program::Run load(Words more = {}) const {
        Words words{"ingest", "--history", "pages"};
        words.insert(words.end(), more.begin(), more.end());
        return bench.run(words);
    }
};

std::string page_of(const std::string& package, char letter, const std::string& tag = "develop") {
    return program::page(package, program::details({program::entry(letter)}), tag);
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
                ": _cache/develop/zlib/specs.md: the file is empty; expected a page that opens "
                "with a line '---'"});
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

TEST_CASE("A page that moved as it was and changes later is followed across runs") {
    Bench bench;
    const auto pages = [&](const std::string& letters) {
        std::vector<program::Entry> entries;
        for (const char letter : letters) {
            entries.push_back(program::entry(letter));
        }
        return program::page("zlib", program::details(entries), "develop");
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
    CHECK(program::lines_of(counts.out) == Words{"specs,counted", "3,3", "3,3", "2,2"});
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
