#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "ingest/runs/commits/history.hpp"
#include "ingest/sources/files/threads.hpp"
#include "ingest/sources/pages/source.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"
#include "tests/support/repositories/git_fixture.hpp"

namespace threads_test {

// All that starts threads, with more of them than there are cores. These tests are run under the
// thread sanitizer, too.
using namespace cacheledger;

namespace {

constexpr unsigned many = 8;

PrintedPage page(int package, int specs) {
    PrintedPage page{fmt::format("p{}", package), {}};
    for (int i = 0; i < specs; ++i) {
        const auto letter = [](int n) { return static_cast<char>('a' + n % 26); };
        page.specs.push_back(
            {.hash = hash_of(std::string{letter(package), letter(package / 26), letter(i)})});
    }
    return page;
}

PageState item_of(std::size_t index) {
    return {{std::to_string(index), {}}, Page{}};
}

}  // namespace

TEST_CASE("Threads give the pages of a batch in their order, batch after batch") {
    OrderedStream<PageState> stream([] { return item_of; }, many);
    for (const std::size_t size : {1000U, 0U, 1U, 300U}) {
        stream.start(size);
        for (std::size_t i = 0; i < size; ++i) {
            const auto item = stream.next();
            REQUIRE(item);
            REQUIRE(item->place.name == std::to_string(i));
        }
        CHECK_FALSE(stream.next());
    }
}

TEST_CASE("What a thread throws is thrown to who waits, and a batch may be left") {
    const auto make_read = []() -> OrderedStream<PageState>::Make {
        return [](std::size_t index) {
            if (index == 500) {
                throw std::runtime_error("no more");
            }
            return item_of(index);
        };
    };
    OrderedStream<PageState> stream(make_read, many);
    stream.start(1000);
    CHECK_THROWS_WITH(
        [&] {
            while (stream.next()) {
            }
        }(),
        "no more");
    OrderedStream<PageState> left([] { return item_of; }, many);
    left.start(100'000);
    CHECK(left.next());
}

TEST_CASE("Many threads find and load what one does") {
    const TempFolder folder;
    for (int i = 0; i < 150; ++i) {
        folder.write(fmt::format("f{}/{}/page.md", i % 7, i), page(i, 4).text());
    }
    folder.write("f3/broken.md", "---\ntitle: broken\nspec_details: [\n---\n");
    TempLedger one;
    TempLedger several;
    one.ingest("2025-03-01", {folder.path().string()}, {.keep_going = true});
    several.ingest("2025-03-01", {folder.path().string()}, {.keep_going = true}, many);
    CHECK(one.value("SELECT count(*) FROM specs") == "600");
    CHECK(several.tables() == one.tables());
}

TEST_CASE("Many threads load of a repository what one does") {
    const TempFolder folder;
    git_fixture::Repository repository(folder.path() / "repository");
    for (int commit = 0; commit < 5; ++commit) {
        for (int i = 0; i < 40; ++i) {
            repository.write(fmt::format("f{}/{}.md", i % 3, i),
                             page(i, 1 + (i + commit) % 4).text());
        }
        repository.commit(1'700'000'000 + commit * 86'400);
    }
    TempLedger one;
    TempLedger several;
    const auto no_progress = [](std::size_t, std::size_t) {};
    HistoryOptions options;
    options.repository = repository.path();
    ingest_history(one.database(), options, no_progress);
    options.jobs = many;
    ingest_history(several.database(), options, no_progress);
    CHECK(one.value("SELECT count(*) FROM snapshot") == "5");
    CHECK(several.tables() == one.tables());
}

}  // namespace threads_test
