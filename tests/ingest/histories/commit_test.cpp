
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/ledgers/old_page.hpp"
#include "tests/support/repositories/history_ledger.hpp"

namespace commit_test {

using namespace cacheledger;

namespace {

/// develop-2025-03-30 is dated, develop is not.
const std::string dated = "develop-2025-03-30";

}  // namespace

TEST_CASE("A commit makes a snapshot of each tag that it touched, at the committer's time") {
    HistoryLedger history;
    history.write("zlib", {"a"});
    history.write("hwloc", {"h"});
    history.write("zlib", {"v"}, "v1");
    history.commit("2025-03-01T06:00:00Z");
    history.write("zlib", {"a", "b"});
    history.commit("2025-03-02T06:00:01Z");
    history.remove("hwloc");
    history.write("mpich", {"m"}, "v1");
    history.commit("2025-03-03");
    const HistoryResult result = history.load();
    CHECK(result.commits == 3);
    CHECK(result.touching_commits == 3);
    CHECK(result.loaded == 5);
    CHECK(result.new_specs == 5);
    CHECK(result.specs == 10);
    CHECK(history.states() == Lines{"develop@2025-03-01T06:00:00Z: hwloc:h zlib:a",
                                    "develop@2025-03-02T06:00:01Z: hwloc:h zlib:ab",
                                    "develop@2025-03-03T00:00:00Z: zlib:ab",
                                    "v1@2025-03-01T06:00:00Z: zlib:v",
                                    "v1@2025-03-03T00:00:00Z: mpich:m zlib:v"});
    CHECK(history.findings().empty());
    CHECK(history.faults().empty());
    CHECK(history.ledger()
              .value("SELECT DISTINCT source FROM snapshots WHERE name GLOB '*-02T*'")
              .starts_with(history.repository().path() + "@"));
}

TEST_CASE("A dated tag is at its date, is replaced when rewritten, and stays when removed") {
    HistoryLedger history;
    history.write("zlib", {"a"}, dated);
    history.commit("2025-04-01");
    history.write("zlib", {"b"}, dated);
    history.write("hwloc", {"h"}, dated);
    history.commit("2025-04-02");
    history.write("zlib", {"d"});
    history.remove("zlib", dated);
    history.remove("hwloc", dated);
    history.commit("2025-04-03");
    const HistoryResult result = history.load();
    CHECK(result.replaced == 1);
    CHECK(result.new_specs == 4);
    CHECK(history.states() ==
          Lines{dated + ": hwloc:h zlib:b", "develop@2025-04-03T00:00:00Z: zlib:d"});
    CHECK(history.ledger().value("SELECT count(*) FROM spec_variants") == "3");
    CHECK(history.faults().empty());
}

TEST_CASE("A mutable tag that vanishes wholly gives an empty snapshot") {
    HistoryLedger history;
    history.write("zlib", {"a"});
    history.write("zlib", {"v"}, "v1");
    history.commit("2025-03-01");
    history.remove("zlib");
    history.commit("2025-03-02");
    history.write("zlib", {"a"});
    history.commit("2025-03-03");
    history.load();
    CHECK(history.states() ==
          Lines{"develop@2025-03-01T00:00:00Z: zlib:a", "develop@2025-03-02T00:00:00Z:",
                "develop@2025-03-03T00:00:00Z: zlib:a", "v1@2025-03-01T00:00:00Z: zlib:v"});
    CHECK(history.faults().empty());
}

TEST_CASE("Files that are no pages make no snapshot") {
    HistoryLedger history;
    auto& repository = history.repository();
    history.write("zlib", {"a"});
    history.commit("2025-03-01");
    repository.write("README.md", "# Pages\n");
    repository.write("empty.md", "");
    repository.write("_cache/develop/zlib/empty.txt", "");
    repository.write("about.md", "---\ntitle: About\nlayout: page\n---\n");
    repository.write("notes.txt", "notes");
    repository.write("page.html", "---\ntitle: zlib\ncategories: [package, x]\n---\n");
    history.commit("2025-03-02");
    repository.write("README.md", "# Pages of packages\n");
    repository.remove("empty.md");
    history.commit("2025-03-03");
    const HistoryResult result = history.load();
    CHECK(result.touching_commits == 1);
    CHECK(result.problems.empty());
    CHECK(history.states() == Lines{"develop@2025-03-01T00:00:00Z: zlib:a"});
    CHECK(history.load().known_commits == 1);
    CHECK(history.findings().empty());
}

TEST_CASE("A symbolic link is no page, and a page that becomes one is gone") {
    HistoryLedger history;
    auto& repository = history.repository();
    history.write("zlib", {"a"});
    history.write("hwloc", {"h"});
    repository.link("_cache/v1/zlib/specs.md", "../../develop/zlib/specs.md");
    history.commit("2025-03-01");
    repository.link(place_of("hwloc"), "../zlib/specs.md");
    history.commit("2025-03-02");
    history.write("hwloc", {"i"});
    repository.remove("_cache/v1/zlib/specs.md");
    history.commit("2025-03-03");
    history.load();
    CHECK(history.states() == Lines{"develop@2025-03-01T00:00:00Z: hwloc:h zlib:a",
                                    "develop@2025-03-02T00:00:00Z: zlib:a",
                                    "develop@2025-03-03T00:00:00Z: hwloc:i zlib:a"});
    CHECK(history.findings().empty());
}

TEST_CASE("Commits in the same second are a second apart for each tag, in git's order") {
    HistoryLedger history;
    history.write("zlib", {"a"});
    history.commit("2025-03-01");
    history.write("zlib", {"b"});
    history.write("zlib", {"v"}, "v1");
    history.commit("2025-03-01");
    history.write("hwloc", {"h"});
    history.commit("2025-03-01");
    CHECK(history.load().replaced == 0);
    Lines states{"develop@2025-03-01T00:00:00Z: zlib:a", "develop@2025-03-01T00:00:01Z: zlib:b",
                 "develop@2025-03-01T00:00:02Z: hwloc:h zlib:b", "v1@2025-03-01T00:00:00Z: zlib:v"};
    CHECK(history.states() == states);
    CHECK(history.ledger().rows("SELECT snapshot, substr(detail, 19) FROM findings "
                                "WHERE kind = 'time-shared' ORDER BY 1") ==
          Lines{"develop@2025-03-01T00:00:01Z| an earlier snapshot has this second; the snapshot "
                "is 1 second later",
                "develop@2025-03-01T00:00:02Z| an earlier snapshot has this second; the snapshot "
                "is 2 seconds later"});
    CHECK(history.load().known_commits == 3);
    history.forget("develop@2025-03-01T00:00:01Z");
    CHECK(history.load().known_commits == 2);
    CHECK(history.states() == states);
    // A later run, and a commit whose own second is taken.
    history.write("hwloc", {"i"});
    history.repository().commit(1740787201);
    CHECK(history.load().known_commits == 3);
    states.insert(states.begin() + 3, "develop@2025-03-01T00:00:03Z: hwloc:i zlib:b");
    CHECK(history.states() == states);
    CHECK(history.faults().empty());
}

TEST_CASE("Commits whose time goes backwards are at their time") {
    HistoryLedger history;
    history.write("zlib", {"a"});
    history.commit("2025-03-05");
    history.write("zlib", {"a", "b"});
    history.commit("2025-03-03");
    history.write("zlib", {"c"});
    history.commit("2025-03-04");
    history.load();
    CHECK(history.states() == Lines{"develop@2025-03-03T00:00:00Z: zlib:ab",
                                    "develop@2025-03-04T00:00:00Z: zlib:c",
                                    "develop@2025-03-05T00:00:00Z: zlib:a"});
    CHECK(history.ledger().rows("SELECT substr(taken_at, 9, 2), substr(hash, 1, 1), change "
                                "FROM changes ORDER BY 1, 2") ==
          Lines{"03|a|added", "03|b|added", "04|a|removed", "04|b|removed", "04|c|added",
                "05|a|added", "05|c|removed"});
    CHECK(history.load().known_commits == 3);
    CHECK(history.faults().empty());
}

TEST_CASE("A page that moves is the same page at another path") {
    HistoryLedger history;
    auto& repository = history.repository();
    history.write("zlib", {"a"});
    history.commit("2025-03-01");
    history.remove("zlib");
    repository.write("pages/zlib.md", page_text("zlib", {"a"}));
    history.commit("2025-03-02");
    history.load();
    CHECK(history.ledger().rows("SELECT snapshot, path FROM pages ORDER BY 1") ==
          Lines{"develop@2025-03-01T00:00:00Z|_cache/develop/zlib/specs.md",
                "develop@2025-03-02T00:00:00Z|pages/zlib.md"});
    CHECK(history.ledger().value("SELECT count(*) FROM changes WHERE change <> 'added'") == "0");
    CHECK(history.faults().empty());
}

TEST_CASE("A page whose title or tag changes is of the other package or tag from then on") {
    HistoryLedger history;
    auto& repository = history.repository();
    repository.write("a.md", page_text("zlib", {"a"}));
    repository.write("b.md", page_text("hwloc", {"h"}));
    history.commit("2025-03-01");
    repository.write("a.md", page_text("zlib-ng", {"n"}));
    history.commit("2025-03-02");
    repository.write("a.md", page_text("zlib-ng", {"n"}, "v1"));
    history.commit("2025-03-03");
    repository.write("b.md", page_text("hwloc", {"h"}, "v1"));
    history.commit("2025-03-04");
    history.load();
    CHECK(history.states() ==
          Lines{"develop@2025-03-01T00:00:00Z: hwloc:h zlib:a",
                "develop@2025-03-02T00:00:00Z: hwloc:h zlib-ng:n",
                "develop@2025-03-03T00:00:00Z: hwloc:h",
                "develop@2025-03-04T00:00:00Z:", "v1@2025-03-03T00:00:00Z: zlib-ng:n",
                "v1@2025-03-04T00:00:00Z: hwloc:h zlib-ng:n"});
    CHECK(history.faults().empty());
}

TEST_CASE("Spec files of a page of 2022 count as the page") {
    HistoryLedger history;
    auto& repository = history.repository();
    const auto write = [&](const old_page::Files& files) {
        for (const auto& [name, text] : files) {
            repository.write("_cache/develop/zlib/" + name, text);
        }
    };
    using old_page::Spec;
    const Spec one{.hash = hash_of("a"), .version_json = R"("1.1")"};
    const Spec two{.hash = hash_of("b"), .version_json = R"("1.2")"};
    const Spec other{.hash = hash_of("c"), .version_json = R"("1.1")"};
    write(old_page::g1("zlib", "develop", {one, two}));
    history.commit("2025-03-01");
    repository.write("_cache/develop/zlib/spec-0.json", old_page::spec_file("zlib", other));
    history.commit("2025-03-02");
    repository.write("_cache/develop/spec-0.json", "{}");  // beside no page
    history.commit("2025-03-03");
    repository.remove("_cache/develop/zlib/spec-1.json");
    history.commit("2025-03-04");
    write(old_page::g1("zlib", "develop", {other, two}));
    history.commit("2025-03-05");
    history.load();
    const Lines states{
        "develop@2025-03-01T00:00:00Z: zlib:ab", "develop@2025-03-02T00:00:00Z: zlib:bc",
        "develop@2025-03-04T00:00:00Z: zlib:bc", "develop@2025-03-05T00:00:00Z: zlib:bc"};
    CHECK(history.states() == states);
    CHECK(history.ledger().rows("SELECT snapshot, kind FROM findings WHERE kind GLOB 'page-*'") ==
          Lines{"develop@2025-03-04T00:00:00Z|page-unreadable"});
    const auto views = history.ledger().views();
    history.forget("develop@2025-03-04");
    history.forget("develop@2025-03-02");
    history.load();
    CHECK(history.ledger().views() == views);
    CHECK(history.faults().empty());
}

TEST_CASE("Any file that a page of 2022 names counts as the page, and no other") {
    HistoryLedger history;
    auto& repository = history.repository();
    const std::string name = GENERATE("zlib.json", "spec-0.JSON", "spec-0", "one.txt", "two.md");
    const std::string folder = GENERATE("", "_cache/develop/zlib/");
    const auto write_spec = [&](const std::string& stem) {
        repository.write(folder + name, old_page::spec_file("zlib", {hash_of(stem)}));
    };
    const auto write_page = [&](const std::string& file) {
        repository.write(folder + "specs.md",
                         "---\ntitle: zlib\ncategories: [package, develop]\n"
                         "spec_files:\n- " +
                             file + "\n---");
    };
    write_page(name);
    write_spec("a");
    history.commit("2025-03-01");
    write_spec("b");
    history.commit("2025-03-02");
    repository.write(folder + "spec-1.json", "{}");  // no page names it
    history.commit("2025-03-03");
    repository.remove(folder + name);
    history.commit("2025-03-04");
    repository.write(folder + "spec-1.json", "[]");
    history.commit("2025-03-05");
    write_spec("c");
    history.commit("2025-03-06");
    write_page("spec-1.json");
    repository.write(folder + "spec-1.json", old_page::spec_file("zlib", {hash_of("d")}));
    history.commit("2025-03-07");
    write_spec("e");
    history.commit("2025-03-08");
    history.load();
    CHECK(history.states() ==
          Lines{"develop@2025-03-01T00:00:00Z: zlib:a", "develop@2025-03-02T00:00:00Z: zlib:b",
                "develop@2025-03-04T00:00:00Z: zlib:b", "develop@2025-03-06T00:00:00Z: zlib:c",
                "develop@2025-03-07T00:00:00Z: zlib:d"});
    CHECK(history.ledger().rows("SELECT snapshot, kind FROM findings WHERE kind GLOB 'page-*'") ==
          Lines{"develop@2025-03-04T00:00:00Z|page-unreadable"});
    CHECK(history.faults().empty());
}

TEST_CASE("A merge is one commit, compared with its first parent") {
    HistoryLedger history;
    auto& repository = history.repository();
    history.write("zlib", {"a"});
    const std::string first = history.commit("2025-03-01");
    repository.begin_branch("side", first);
    history.write("hwloc", {"h"});
    history.commit("2025-03-02");
    history.write("hwloc", {"i"});
    const std::string side = history.commit("2025-03-03");
    repository.begin_branch("main", first);
    history.write("zlib", {"b"});
    history.commit("2025-03-04");
    history.write("hwloc", {"i"});
    repository.commit(1741132800, {side});  // 2025-03-05
    CHECK(history.load().commits == 3);
    CHECK(history.states() == Lines{"develop@2025-03-01T00:00:00Z: zlib:a",
                                    "develop@2025-03-04T00:00:00Z: zlib:b",
                                    "develop@2025-03-05T00:00:00Z: hwloc:i zlib:b"});
}

TEST_CASE("A bare clone gives the same") {
    HistoryLedger history;
    history.write("zlib", {"a"});
    history.commit("2025-03-01");
    history.write("zlib", {"b"});
    history.commit("2025-03-02");
    history.load();
    const std::string bare =
        history.repository().clone_bare(history.ledger().folder().path() / "bare.git");
    TempLedger other;
    ingest_history(other.database(), {bare, "main"}, [](std::size_t, std::size_t) {});
    auto views = history.ledger().views();
    auto bare_views = other.views();
    views.erase("snapshots");  // these name the source
    bare_views.erase("snapshots");
    CHECK(bare_views == views);
}

TEST_CASE("What did not change is not read") {
    HistoryLedger history;
    history.write("zlib", {"a"});
    history.write("hwloc", {"h"});
    history.commit("2025-03-01");
    history.load();
    history.repository().lose(page_text("zlib", {"a"}));
    history.write("hwloc", {"i"});
    history.commit("2025-03-02");
    CHECK(history.problems() == Lines{"(none)"});
    CHECK(history.states() == Lines{"develop@2025-03-01T00:00:00Z: hwloc:h zlib:a",
                                    "develop@2025-03-02T00:00:00Z: hwloc:i zlib:a"});
    CHECK(history.findings().empty());
}

}  // namespace commit_test
