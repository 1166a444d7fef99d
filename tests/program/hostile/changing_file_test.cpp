#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <future>
#include <string>

#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/old_page.hpp"
#include "tests/support/program/bad_input.hpp"
#include "tests/support/program/checks.hpp"

namespace changing_file_test {

using namespace program;

namespace fs = std::filesystem;

namespace {

/// Loads the folder `good` and a page from standard input, and calls `change` when the folder has
/// been searched and nothing of it been read.
Run load_while(const LoadedBench& bench, const std::function<void()>& change) {
    const std::string gate = bench.file("gate");
    REQUIRE(mkfifo(gate.c_str(), 0600) == 0);
    auto run = std::async(std::launch::async, [&] {
        Surroundings surroundings;
        surroundings.folder = bench.folder();
        return run_command(
            {"sh", "-c", R"("$0" ingest good - --taken-at 2025-01-02 <gate)", paths::program},
            surroundings);
    });
    // More than a pipe holds: all of it is written when the program reads it, which is after it
    // has searched the folder that comes before.
    const std::string text =
        page("cmake", details({entry('r')})) + std::string(std::size_t{1} << 18, 'x');
    const int writer = open(gate.c_str(), O_WRONLY | O_CLOEXEC);
    REQUIRE(writer >= 0);
    std::size_t written = 0;
    while (written < text.size()) {
        const ssize_t count = write(writer, text.data() + written, text.size() - written);
        REQUIRE(count > 0);
        written += static_cast<std::size_t>(count);
    }
    change();
    close(writer);
    return run.get();
}

void check_refused(const Run& run, const std::string& reason) {
    INFO(run);
    CHECK(run.status == 3);
    REQUIRE(run.errors().size() == 1);
    check_line(run.errors()[0], "good/zlib.md", 0, reason);
}

}  // namespace

TEST_CASE("A file that is gone when it is to be read is named") {
    const LoadedBench bench;
    const Run run = load_while(bench, [&] { fs::remove(bench.file("good/zlib.md")); });
    check_refused(run, "can't be read: No such file or directory");
}

TEST_CASE("A file that has become something else is named") {
    const LoadedBench bench;
    const std::string file = bench.file("good/zlib.md");
    SECTION("a folder") {
        check_refused(load_while(bench,
                                 [&] {
                                     fs::remove(file);
                                     fs::create_directory(file);
                                 }),
                      "expected a regular file");
    }
    SECTION("a FIFO") {
        check_refused(load_while(bench,
                                 [&] {
                                     fs::remove(file);
                                     mkfifo(file.c_str(), 0600);
                                 }),
                      "expected a regular file");
    }
    SECTION("a link to a device") {
        check_refused(load_while(bench,
                                 [&] {
                                     fs::remove(file);
                                     fs::create_symlink("/dev/zero", file);
                                 }),
                      "expected a regular file");
    }
    SECTION("too large") {
        check_refused(load_while(bench, [&] { fs::resize_file(file, std::uintmax_t{1} << 30); }),
                      "at most 64 MiB");
    }
    SECTION("empty") {
        check_refused(load_while(bench, [&] { fs::resize_file(file, 0); }), "the file is empty");
    }
}

TEST_CASE("A file that another has taken the place of is the other") {
    const LoadedBench bench;
    done(load_while(bench, [&] {
        bench.write("new", page("hdf5", details({entry('h')})));
        fs::rename(bench.file("new"), bench.file("good/zlib.md"));
    }));
    CHECK(bench.query("SELECT package FROM specs WHERE snapshot LIKE '%-02T%' ORDER BY 1") ==
          Words{"cmake", "hdf5"});
}

}  // namespace changing_file_test
