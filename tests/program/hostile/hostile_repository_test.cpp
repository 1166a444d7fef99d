#include <cstdint>
#include <string>

#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program/bad_input.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/repositories/git_fixture.hpp"

namespace hostile_repository_test {

using git_fixture::Repository;
using namespace program;

namespace {

constexpr std::int64_t first_time = 1740787200;  // 2025-03-01T00:00:00Z
constexpr std::size_t little_memory = std::size_t{1} << 30;

/// A repository with a good commit, and one more to come that is not.
struct Bench : Workbench {
    Repository repository{file("pages")};
    std::string good = page("zlib", details({entry('a')}));
    std::string blob;

    Bench() {
        repository.write("zlib/specs.md", good);
        repository.commit(first_time);
        blob = repository.write_object("blob", page("cmake", details({entry('c')})));
    }

    std::string tree(const std::string& entries) const {
        return repository.write_object("tree", entries);
    }
    void commit(const std::string& entries) const {
        repository.commit_tree(tree(entries), first_time + 86400);
    }
    Run load() const {
        Surroundings surroundings;
        surroundings.folder = folder();
        surroundings.memory = little_memory;
        return run_command({paths::program, "ingest", "--history", "pages"}, surroundings);
    }
    /// A repository that can't be read: one line that names it, and exit code 3. The ledger is all
    /// right, with the commits before.
    void check_refused(const std::string& reason) const {
        const Run run = done(load(), 3);
        REQUIRE(run.errors().size() == 1);
        CHECK(run.errors()[0].rfind("cacheledger: pages: ", 0) == 0);
        CHECK(contains(run.errors()[0], reason));
        CHECK((!has("cacheledger.db") || this->run({"check"}).out == "ok\n"));
    }
    /// What is read of the second commit.
    Words packages() const {
        const Run run = done(load());
        CHECK(run.err.empty());
        CHECK(this->run({"check"}).out == "ok\n");
        return query("SELECT package FROM specs WHERE snapshot LIKE '%-02T%' ORDER BY package");
    }
};

/// A loose object as git stores it, with one block of bytes that are not compressed.
std::string stored(const std::string& bytes) {
    const auto low = static_cast<char>(bytes.size() & 0xffU);
    const auto high = static_cast<char>(bytes.size() >> 8U);
    std::string stream = "\x78\x01\x01";
    stream += {low, high, static_cast<char>(~low), static_cast<char>(~high)};
    return stream + bytes;
}

}  // namespace

TEST_CASE("A blob of 1 GiB is refused without reading it") {
    const Bench bench;
    bench.repository.replace_object(bench.blob, stored(std::string("blob 1073741824\0page", 20)));
    bench.commit(Repository::tree_entry("100644", "cmake.md", bench.blob));
    const Run run = done(bench.load());
    REQUIRE(run.errors().size() == 2);  // the second counts the findings
    CHECK(contains(run.err, "cmake.md: expected a page of at most 64 MiB"));
    CHECK(bench.query("SELECT kind FROM findings") == Words{"page-unreadable"});
    CHECK(bench.run({"check"}).out == "ok\n");
}

// Not one whose size is another number, nor an object that is cut off within its stream: on these
// libgit2 (1.5) never ends.
TEST_CASE("A blob whose header is none is refused") {
    const Bench bench;
    bench.repository.replace_object(
        bench.blob,
        stored(std::string(GENERATE("blob 99999999999999999999", "blob -1", "tree 4", "mess", "")) +
               std::string("\0page", 5)));
    bench.commit(Repository::tree_entry("100644", "cmake.md", bench.blob));
    bench.check_refused("see git fsck");
}

TEST_CASE("Links and submodules are no pages") {
    const Bench bench;
    const std::string link = bench.repository.write_object("blob", "/etc/passwd");
    bench.commit(Repository::tree_entry("120000", "a.md", link) +
                 Repository::tree_entry("160000", "b.md", std::string(40, '1')) +
                 Repository::tree_entry("100644", "c.md", bench.blob));
    CHECK(bench.packages() == Words{"cmake"});
}

TEST_CASE("A spec file that is a link, a submodule or a folder is not beside its page") {
    const Bench bench;
    const std::string link = bench.repository.write_object("blob", "/etc/passwd");
    const std::string folder = bench.tree("");
    const std::string old_page = bench.repository.write_object(
        "blob",
        "---\ntitle: zlib\ncategories: [package, develop]\nspec_files:\n- spec-0.json\n---");
    const std::string mode = GENERATE("120000", "160000", "40000");
    bench.commit(Repository::tree_entry(mode, "spec-0.json", mode == "40000" ? folder : link) +
                 Repository::tree_entry("100644", "specs.md", old_page));
    check_run(bench.load(), {.err = {"specs.md:5: spec-0.json, which it lists, is not beside it"}});
}

TEST_CASE("Objects that are missing or damaged are named") {
    const Bench bench;
    const std::string tree = bench.tree(Repository::tree_entry("100644", "cmake.md", bench.blob));
    const std::string commit = bench.repository.commit_tree(tree, first_time + 86400);
    const std::string damage = GENERATE("", "damaged", "\x78\x9c\xff\xff");
    SECTION("a blob") {
        bench.repository.replace_object(bench.blob, damage);
        bench.check_refused("a file can't be read");
    }
    SECTION("a tree") {
        bench.repository.replace_object(tree, damage);
        bench.check_refused("a tree can't be read");
    }
    SECTION("a commit") {
        bench.repository.replace_object(commit, damage);
        const Run run = done(bench.load(), 2);  // there is no such revision
        CHECK(run.errors().size() == 1);
    }
}

TEST_CASE("Trees that are none are named") {
    const Bench bench;
    SECTION("a blob in the place of a tree") {
        bench.repository.commit_tree(bench.blob, first_time + 86400);
        bench.check_refused("can't be read");
    }
    SECTION("a blob in the place of a folder") {
        bench.commit(Repository::tree_entry("40000", "cmake", bench.blob));
        bench.check_refused("can't be read");
    }
    SECTION("nothing") {
        bench.repository.commit_tree(std::string(40, '1'), first_time + 86400);
        bench.check_refused("a tree can't be read");
    }
    SECTION("an entry that is cut off") {
        bench.commit("100644 cmake.md");
        bench.check_refused("a tree can't be read");
    }
    SECTION("a tree in the place of a page") {
        bench.commit(Repository::tree_entry("100644", "cmake.md", bench.tree("")));
        const Run run = bench.load();
        INFO(run);
        CHECK(run.errors().size() == 1);
    }
}

TEST_CASE("A tree that is nested 3,000 deep is refused") {
    const Bench bench;
    std::string tree = bench.tree(Repository::tree_entry("100644", "specs.md", bench.blob));
    for (int depth = 0; depth < 3000; ++depth) {
        tree = bench.tree(Repository::tree_entry("40000", "d", tree) +
                          Repository::tree_entry("100644", "specs.md", bench.blob));
    }
    bench.repository.commit_tree(tree, first_time + 86400);
    bench.check_refused("expected paths of at most 4096 bytes");
}

TEST_CASE("A few trees that stand for a billion files are refused") {
    const Bench bench;
    constexpr int width = 10;
    constexpr int depth = 9;
    const bool has_pages = GENERATE(true, false);  // without, it is folders alone
    const std::string name = GENERATE(std::string("d"), std::string(250, 'd'));
    const auto of_ten = [&](const std::string& mode, const std::string& id,
                            const std::string& end) {
        std::string entries;
        for (int i = 0; i < width; ++i) {
            entries += Repository::tree_entry(mode, name + std::to_string(i) + end, id);
        }
        return bench.tree(entries);
    };
    std::string tree = has_pages ? of_ten("100644", bench.blob, ".md") : bench.tree("");
    for (int i = 1; i < depth; ++i) {
        tree = of_ten("40000", tree, "");
    }
    const std::string commit = bench.repository.commit_tree(tree, first_time + 86400);
    bench.check_refused("commit " + commit.substr(0, 10) +
                        ": expected at most 400000 files and folders that differ");
}

TEST_CASE("A tree object with a million names is refused without reading it") {
    const Bench bench;
    const std::string large = bench.tree(Repository::tree_entry("100644", "p.md", bench.blob));
    bench.repository.replace_object(large, stored(std::string("tree 99999999\0", 14)));
    bench.commit(Repository::tree_entry("40000", "d", large));
    bench.check_refused("expected folders of at most 16 MiB in the tree of a commit");
}

TEST_CASE("Names in a tree are names, whatever they hold") {
    const Bench bench;
    const std::string name = GENERATE("..", ".", ".git", "two\nlines.md", "a/b.md", "../../c.md",
                                      "\x1b[31mred.md", "\xff.md", "--help.md", " .md");
    const bool is_folder = name.find(".md") == std::string::npos;
    const std::string inner = bench.tree(Repository::tree_entry("100644", "c.md", bench.blob));
    bench.commit(is_folder ? Repository::tree_entry("40000", name, inner)
                           : Repository::tree_entry("100644", name, bench.blob));
    INFO(name);
    CHECK(bench.packages() == Words{"cmake"});
    const Words pages = bench.query("SELECT count(*) FROM pages WHERE snapshot LIKE '%-02T%'");
    CHECK(pages == Words{"1"});
}

TEST_CASE("A broken page of any name is said in one line") {
    const Bench bench;
    const std::string blob = bench.repository.write_object("blob", "---\nspec_details: [\n---\n");
    bench.commit(Repository::tree_entry("100644", "two\nlines\x1b[31m.md", blob));
    const Run run = bench.load();
    INFO(run);
    REQUIRE(run.errors().size() == 2);  // the second counts the findings
    CHECK(contains(run.err, "two\\nlines\\x1b[31m.md: expected a 'title'"));
}

}  // namespace hostile_repository_test
