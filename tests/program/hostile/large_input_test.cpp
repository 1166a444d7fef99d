#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/old_page.hpp"
#include "tests/support/program/bad_input.hpp"
#include "tests/support/program/checks.hpp"

namespace large_input_test {

using namespace program;

namespace fs = std::filesystem;

namespace {

constexpr std::size_t MiB = std::size_t{1} << 20;
constexpr std::size_t largest_page = 64 * MiB;
constexpr std::size_t memory_for_little = 512 * MiB;
constexpr std::size_t memory_for_a_page = 4096 * MiB;

/// A file of this size that takes no room: one line, of NUL characters.
void write_hole(const LoadedBench& bench, const std::string& name, std::size_t size = 1024 * MiB) {
    bench.write(name, "");
    fs::resize_file(bench.file(name), size);
}

/// Loads it with no more than this memory.
Run load(const LoadedBench& bench, const Words& command, std::size_t memory) {
    Surroundings surroundings;
    surroundings.folder = bench.folder();
    surroundings.memory = memory;
    return run_command(command, surroundings);
}

Words ingest(const std::string& path) {
    return {paths::program, "ingest", path, "--taken-at", "2025-01-02"};
}

void check_too_large(const Run& run, const std::string& path, const std::string& reason = "") {
    INFO(run);
    CHECK(run.status == 3);
    REQUIRE(run.errors().size() == 1);
    check_line(run.errors()[0], path, 0, reason + "expected a page of at most 64 MiB");
}

/// A text of this size, the same part again and again, between two others.
std::string filled(std::size_t size, const std::string& part, std::string before = "",
                   const std::string& after = "") {
    before += many(size / part.size(), part);
    return before += after;
}

}  // namespace

TEST_CASE("A file of 1 GiB is refused without reading it") {
    const LoadedBench bench;
    write_hole(bench, "p/huge.md");
    check_too_large(load(bench, ingest("p/huge.md"), memory_for_little), "p/huge.md");
    check_too_large(load(bench, ingest("p"), memory_for_little), "p/huge.md");
    write_hole(bench, "p/huge.md", largest_page + 1);
    check_too_large(load(bench, ingest("p"), memory_for_little), "p/huge.md");
}

TEST_CASE("1 GiB on standard input is refused without reading all of it") {
    const LoadedBench bench;
    write_hole(bench, "huge");
    check_too_large(
        load(bench, {"sh", "-c", R"("$0" ingest - <huge)", paths::program}, memory_for_little),
        "-");
    // A pipe that never ends.
    check_too_large(
        load(bench, {"sh", "-c", R"(yes | "$0" ingest -)", paths::program}, memory_for_little),
        "-");
}

TEST_CASE("A spec file of 1 GiB is refused without reading it") {
    const LoadedBench bench;
    for (const auto& [name, text] : old_page::g1("zlib", "develop", {{std::string(32, 'a')}})) {
        bench.write("old/" + name, text);
    }
    write_hole(bench, "old/spec-0.json");
    check_too_large(load(bench, ingest("old"), memory_for_little), "old/specs.md",
                    "spec-0.json, which it lists, can't be used: ");
}

TEST_CASE("The largest pages are refused or read within bounds") {
    const LoadedBench bench;
    const auto check = [&](const std::string& text, int status, const std::string& said) {
        REQUIRE(text.size() < largest_page);
        bench.write("page.md", text);
        const Run run = load(bench, ingest("page.md"), memory_for_a_page);
        INFO(run);
        CHECK(run.status == status);
        CHECK(contains(status == 0 ? run.out : run.err, said));
        CHECK(run.err.size() < 1000);
    };
    const std::size_t most = largest_page - MiB;
    SECTION("one list of small numbers") {
        check(page("zlib", filled(most, "1,", "[", "1]")), 3, "spec_details[0]: expected");
    }
    SECTION("brackets that are never closed") {
        check(page("zlib", filled(most, "[")), 3, "broken JSON");
    }
    SECTION("a list of stacks") {
        check(page("zlib", details({with("stacks", filled(MiB, ",\"a\"", "[\"a\"", "]"))})), 3,
              "stacks: expected at most 10000 texts");
    }
    SECTION("keys that are not known") {
        Entry odd = entry();
        odd["colour"] = filled(most, R"(,"a":1)", "1");
        check(page("zlib", details({odd})), 0, "1 page, 1 spec");
        CHECK(bench.query("SELECT kind, count(*) FROM findings WHERE snapshot LIKE '%-02T%' "
                          "GROUP BY kind") == Words{"more-findings,1", "unknown-field,1000"});
    }
    SECTION("lines of front matter") {
        check(filled(4 * MiB, "a:\n", "---\n", "---\n"), 3, "longer than 1 MiB");
    }
    SECTION("as much YAML as there may be") {
        check(filled(MiB - 1000, "- a\n", "---\n", "---\n"), 3, "");
    }
    SECTION("a list of spec files") {
        check(
            filled(4 * MiB, "- a\n", "---\ntitle: zlib\ncategory: package\nspec_files:\n", "---\n"),
            3, "longer than 1 MiB");
    }
}

TEST_CASE("A folder with 100,000 files is searched") {
    const LoadedBench bench;
    for (int i = 0; i < 100000; ++i) {
        const std::string name = bench.file("good/" + std::to_string(i) + ".md");
        close(open(name.c_str(), O_WRONLY | O_CREAT, 0600));
    }
    bench.write("good/99999.md", page("cmake", details({entry('r')})));
    const Run refused = load(bench, ingest("good"), memory_for_little);
    CHECK(refused.status == 3);  // empty files, each of them in a line
    CHECK(refused.errors().size() == 99999);
}

// Under a sanitizer, which gets no limit, there is memory for all of these.

TEST_CASE("A search of folders for which there is no memory ends as such") {
    const LoadedBench bench;
    int folder = open(bench.file("good").c_str(), O_RDONLY | O_DIRECTORY);
    const auto enter = [&](const std::string& name) {
        REQUIRE(mkdirat(folder, name.c_str(), 0700) == 0);
        const int below = openat(folder, name.c_str(), O_RDONLY | O_DIRECTORY);
        close(folder);
        folder = below;
    };
    for (int depth = 0; depth < 14; ++depth) {
        enter(std::string(240, 'd'));
    }
    for (int i = 0; i < 20000; ++i) {
        const int file =
            openat(folder, (std::to_string(i) + ".md").c_str(), O_WRONLY | O_CREAT, 0600);
        REQUIRE(write(file, "x", 1) == 1);
        close(file);
    }
    close(folder);
    for (const std::string jobs : {"1", "4"}) {
        Words command = ingest("good");
        command.insert(command.end(), {"--jobs", jobs});
        const Run run = load(bench, command, 128 * MiB);
        INFO(run);
        CHECK((run.errors() == Words{"cacheledger: not enough memory"} || run.status == 0));
        CHECK((run.status == 3 || run.status == 0));
    }
    run_command({"rm", "-rf", bench.file("good")});
}

TEST_CASE("More threads than there can be are refused") {
    const LoadedBench bench;
    for (const std::string path : {"good", "good/zlib.md"}) {
        Words command = ingest(path);
        command.insert(command.end(), {"--jobs", "256"});
        const Run run = load(bench, command, 512 * MiB);
        INFO(run);
        CHECK((run.status == 2 || run.status == 0));
        CHECK((run.status == 0 || contains(run.err, " threads can't be started (")));
    }
}

TEST_CASE("A page for which there is no memory is not called broken") {
    const LoadedBench bench;
    bench.write("page.md", page("zlib", filled(60 * MiB, "1,", "[", "1]")));
    const Run run = done(load(bench, ingest("page.md"), memory_for_little), 3);
    CHECK((run.errors() == Words{"cacheledger: not enough memory"} ||
           contains(run.err, "spec_details[0]: expected")));
}

TEST_CASE("A folder that is nested deeper than a path may be is named") {
    const LoadedBench bench;
    const int top = open(bench.file("good").c_str(), O_RDONLY | O_DIRECTORY);
    int folder = dup(top);
    const std::string name(100, 'd');
    for (int depth = 0; depth < 100; ++depth) {
        REQUIRE(mkdirat(folder, name.c_str(), 0700) == 0);
        const int below = openat(folder, name.c_str(), O_RDONLY | O_DIRECTORY);
        close(folder);
        folder = below;
    }
    close(folder);
    close(top);
    const Words errors = bench.check_refused({"good"});
    REQUIRE(errors.size() == 1);
    CHECK(contains(errors[0], ": can't be searched: File name too long"));
    run_command({"rm", "-rf", bench.file("good")});
}

}  // namespace large_input_test
