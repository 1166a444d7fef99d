#include <filesystem>
#include <string>

#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program/program.hpp"

namespace install_test {

using program::contains;
using program::read_file;
using program::Run;
using program::run_command;
using program::Words;
using program::Workbench;

namespace fs = std::filesystem;

namespace {

bool is_there(const std::string& tool) {
    return run_command({"/bin/sh", "-c", "command -v \"$0\" > /dev/null", tool}).status == 0;
}

}  // namespace

TEST_CASE("What is installed is the program, its man page and its completions") {
    const Workbench bench;
    const Run run =
        run_command({paths::cmake, "--install", paths::build, "--prefix", bench.folder()});
    INFO(run);
    REQUIRE(run.status == 0);
    for (const std::string file :
         {"share/bash-completion/completions/cacheledger", "share/zsh/site-functions/_cacheledger",
          "share/fish/vendor_completions.d/cacheledger.fish", "share/man/man1/cacheledger.1"}) {
        INFO(file);
        CHECK(bench.has(file));
    }
    const Run version = run_command({bench.file("bin/cacheledger").string(), "--version"});
    CHECK(version.out == bench.run({"--version"}).out);
    CHECK(bench.read("share/man/man1/cacheledger.1") == bench.run({"help", "--man"}).out);
}

TEST_CASE("The man page has every command and option, and no mistake of its macros") {
    const Workbench bench;
    const std::string page = bench.run({"help", "--man"}).out;
    CHECK(contains(page, ".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\n"));
    bench.write("cacheledger.1", page);
    for (const std::string part :
         {".SS coverage", "\\-\\-fail\\-under", ".SS diff", "\\-\\-exit\\-code", ".SH ENVIRONMENT",
          "\\(aqdevelop@{1 week ago}\\(aq"}) {
        INFO(part);
        CHECK(contains(page, part));
    }
    if (is_there("groff")) {
        const Run run =
            run_command({"groff", "-man", "-ww", "-z", bench.file("cacheledger.1").string()});
        INFO(run);
        CHECK(run.status == 0);
        CHECK(run.err.empty());
    } else {
        WARN("groff is not installed");
    }
    if (is_there("mandoc")) {
        const Run run = run_command(
            {"mandoc", "-T", "lint", "-W", "warning", bench.file("cacheledger.1").string()});
        INFO(run);
        // The page has no date: that of a build would make each build another.
        CHECK(program::lines_of(run.out).size() == 1);
        CHECK(contains(run.out, "missing date"));
    } else {
        WARN("mandoc is not installed");
    }
}

}  // namespace install_test
