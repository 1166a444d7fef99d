#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"

namespace output_test {

using namespace program;

namespace fs = std::filesystem;

namespace {

const Words one = {"sql", "SELECT 1 AS one", "--format", "csv", "--output"};
const std::string one_csv = "one\n1\n";

Words writing(const std::string& file) {
    Words words = one;
    words.push_back(file);
    return words;
}

Run write(const Workbench& bench, const std::string& file) {
    return bench.run(writing(file));
}

/// As a user without rights, in these groups.
Run write_as_other(const Workbench& bench, const std::string& file,
                   const std::vector<gid_t>& groups) {
    Surroundings other;
    other.unprivileged = true;
    other.groups = groups;
    return bench.start(writing(file), other)->wait();
}

Run shell(const Workbench& bench, const std::string& script) {
    return run_command({"/bin/sh", "-c", script, paths::program}, {bench.folder(), "", {}, false});
}

mode_t mode_of(const fs::path& file) {
    struct stat status {};
    REQUIRE(stat(file.c_str(), &status) == 0);
    return status.st_mode & 07777U;
}

std::set<std::string> names(const Workbench& bench) {
    std::set<std::string> all;
    for (const auto& file : fs::directory_iterator(bench.folder())) {
        all.insert(file.path().filename().string());
    }
    return all;
}

}  // namespace

TEST_CASE("A link stays a link, and the file it leads to is replaced") {
    const SampleBench bench;
    bench.write("real/result", "as it was\n");
    fs::create_symlink("real/result", bench.file("link"));
    fs::create_symlink("link", bench.file("link-to-link"));
    fs::create_symlink("real/new", bench.file("leads-nowhere"));
    fs::create_symlink("round", bench.file("round"));
    struct stat before {};
    REQUIRE(stat(bench.file("real/result").c_str(), &before) == 0);
    CHECK(write(bench, "link-to-link").status == 0);
    CHECK(bench.read("real/result") == one_csv);
    CHECK(fs::is_symlink(bench.file("link")));
    CHECK(fs::is_symlink(bench.file("link-to-link")));
    struct stat after {};
    REQUIRE(stat(bench.file("real/result").c_str(), &after) == 0);
    CHECK(before.st_ino != after.st_ino);  // renamed, not written into
    CHECK(write(bench, "leads-nowhere").status == 0);
    CHECK(bench.read("real/new") == one_csv);
    CHECK(fs::is_symlink(bench.file("leads-nowhere")));
    CHECK(write(bench, "round").status == 2);
}

TEST_CASE("Permissions stay, and those of a new file are umask's") {
    const SampleBench bench;
    bench.write("result", "as it was\n");
    REQUIRE(chmod(bench.file("result").c_str(), 0640) == 0);
    CHECK(write(bench, "result").status == 0);
    CHECK(mode_of(bench.file("result")) == 0640);
    CHECK(shell(bench, "umask 027; \"$0\" snapshots --output new").status == 0);
    CHECK(mode_of(bench.file("new")) == 0640);
    if (geteuid() != 0) {  // root may write to any file
        REQUIRE(chmod(bench.file("result").c_str(), 0400) == 0);
        CHECK(write(bench, "result").status == 2);
    }
}

TEST_CASE("A file that another user owns stays in its group") {
    if (geteuid() != 0) {
        WARN("only root can be another user");
        return;
    }
    constexpr gid_t group = 2000;
    const SampleBench bench;
    bench.write("shared/result", "as it was\n");
    for (const char* const name : {"shared", "shared/result"}) {
        REQUIRE(chown(bench.file(name).c_str(), 0, group) == 0);
        REQUIRE(chmod(bench.file(name).c_str(), 0775) == 0);
    }
    REQUIRE(chmod(bench.file("").c_str(), 0755) == 0);
    done(write_as_other(bench, "shared/result", {group}));
    struct stat status {};
    REQUIRE(stat(bench.file("shared/result").c_str(), &status) == 0);
    CHECK(status.st_gid == group);
    CHECK(mode_of(bench.file("shared/result")) == 0775);
}

TEST_CASE("A file that can't stay in its group gives no other group its rights") {
    if (geteuid() != 0) {
        WARN("only root can be another user");
        return;
    }
    constexpr gid_t group = 2000;
    const SampleBench bench;
    for (const char* const name : {"secret", "public"}) {
        bench.write(name, "as it was\n");
        REQUIRE(chown(bench.file(name).c_str(), 65534, group) == 0);
    }
    REQUIRE(chmod(bench.file("secret").c_str(), 0660) == 0);
    REQUIRE(chmod(bench.file("public").c_str(), 0664) == 0);
    REQUIRE(chmod(bench.file("").c_str(), 0777) == 0);
    for (const char* const name : {"secret", "public"}) {
        done(write_as_other(bench, name, {}));
        struct stat status {};
        REQUIRE(stat(bench.file(name).c_str(), &status) == 0);
        CHECK(status.st_gid != group);
    }
    CHECK(mode_of(bench.file("secret")) == 0600);
    CHECK(mode_of(bench.file("public")) == 0644);
}

TEST_CASE("In a folder that may not be searched, a result is not taken for the database") {
    if (geteuid() != 0) {
        WARN("only root can be another user");
        return;
    }
    const SampleBench bench;
    REQUIRE(chmod(bench.file("").c_str(), 0700) == 0);
    const Run refused = done(write_as_other(bench, "shared/result", {}), 4);
    CHECK(refused.errors() == Words{"cacheledger: cacheledger.db: can't be opened; does its folder "
                                    "exist, and may you use it?"});
}

TEST_CASE("A file that outgrows the disk is not left half written") {
    const SampleBench bench;
    bench.write("result", "as it was\n");
    const auto before = names(bench);
    const Run run =
        done(shell(bench, "ulimit -f 100; \"$0\" sql 'SELECT * FROM specs' --output result"), 2);
    CHECK(run.errors() == Words{"cacheledger: result: can't be written: File too large"});
    CHECK(bench.read("result") == "as it was\n");
    CHECK(names(bench) == before);
}

TEST_CASE("The format is the one that the file is called after, unless it is given") {
    const SampleBench bench;
    const std::vector<Words> commands = {{"snapshots"},
                                         {"report"},
                                         {"report", "coverage/packages"},
                                         {"diff", "develop~1", "develop"},
                                         {"sql", "SELECT 1 AS one"},
                                         {"check"}};
    const std::map<std::string, std::string> format_of_file = {
        {"x.csv", "csv"},     {"x.CSV", "csv"},           {"x.json", "json"},
        {"x.md", "markdown"}, {"x.markdown", "markdown"}, {"x.html", "html"},
        {"x.htm", "html"},    {"x.txt", "table"},         {"csv", "table"}};
    const auto written = [&](Words words, const std::string& file, const std::string& format) {
        words.insert(words.end(), {"--output", file});
        if (!format.empty()) {
            words.insert(words.end(), {"--format", format});
        }
        done(bench.run(words));
        return bench.read(file);
    };
    for (const Words& command : commands) {
        for (const auto& [file, format] : format_of_file) {
            INFO(command[0] << " " << file);
            CHECK(written(command, file, "") == written(command, "result", format));
            CHECK(written(command, file, "table") == written(command, "result", ""));
        }
    }
    const Words formula = {"sql", "SELECT '=1' AS a", "--guard-formulas"};
    CHECK(written(formula, "guarded.csv", "") == "a\n'=1\n");
}

TEST_CASE("A value that is missing behind = is called so") {
    const Workbench bench;
    const Words asked = {"sql", "SELECT 1"};
    for (const auto& [options, problem] :
         {std::pair(Words{"--output="}, "--output=: FILE is missing; see cacheledger sql --help"),
          std::pair(Words{"--output", ""}, "--output '': FILE is missing"),
          std::pair(Words{"--outptu="}, "'--outptu'; did you mean --output?"),
          std::pair(Words{"--="}, "unrecognised option '--'"),
          std::pair(Words{"--help="}, "option '--help' does not take any arguments")}) {
        Words words = asked;
        words.insert(words.end(), options.begin(), options.end());
        check_run(bench.run(words), {.status = 2, .err = {problem}});
    }
}

TEST_CASE("An ending that is no format is an error that lists the endings") {
    const SampleBench bench;
    const std::set<std::string> before = names(bench);
    const std::string common = ".txt, .csv, .json, .md, .html";
    const std::string gates = common + ", .xml, .github";
    // Every command with --output, and the endings that it can write.
    const std::vector<std::pair<Words, std::string>> commands = {
        {{"snapshots"}, common},
        {{"report"}, common},
        {{"report", "coverage/versions"}, common},
        {{"report", "history/growth"}, common + ", .svg"},
        {{"specs", "py-safetensors"}, common},
        {{"history", "py-safetensors"}, common + ", .atom"},
        {{"diff", "develop~1", "develop"}, common + ", .svg, .xml, .github"},
        {{"why", "develop~1", "develop"}, common},
        {{"dependents", "py-safetensors"}, common},
        {{"coverage", "wanted"}, gates + ", .hashes, .svg"},
        {{"prune", "--keep", "newest 1"}, gates + ", .hashes"},
        {{"sql", "SELECT 1 AS one"}, common},
        {{"sql", "--schema"}, common},
        {{"check"}, common},
        {{"forget", "--keep-last", "9", "--dry-run"}, common},
        {{"publish", "postgresql://h/d", "--ledger", "a"}, common},
    };
    for (const auto& [command, endings] : commands) {
        for (const std::string file : {"x.png", "x.parquet", "x.json.gz", "out.d/x.1a", "x.csv~"}) {
            Words words = command;
            words.insert(words.end(), {"--output", file});
            check_run(
                bench.run(words),
                {.status = 2,
                 .all_err = fmt::format("cacheledger: --output {}: expected one of the endings {}, "
                                        "or none; with --format any name will do\n",
                                        file, endings)});
        }
    }
    CHECK(names(bench) == before);
    CHECK(contains(bench.run({"snapshots", "--output", "x.xml"}).err, "one of the endings"));
    check_run(bench.run({"report", "coverage/versions", "--output", "x.svg"}),
              {.status = 2, .err = {"draws a chart, and the report coverage/versions has none"}});
}

TEST_CASE("What is no ending, and what an ending can be") {
    const SampleBench bench;
    const auto table = [&](const std::string& file) {
        done(bench.run({"sql", "SELECT 1 AS one", "--output", file}));
        return bench.read(file);
    };
    bench.write("out.d/before", "");
    bench.write("out.csv/before", "");
    for (const std::string file : {"result", ".hidden", ".csv", "hdf5-1.14", "v0.21.0", "end.",
                                   "a.csv.1", "x.txt", "x.TXT", "out.d/table", "out.csv/table"}) {
        INFO(file);
        CHECK(table(file) == "one\n---\n  1\n");
    }
    CHECK(table("a.b.csv") == one_csv);
    CHECK(table("out.d/x.y.CSV") == one_csv);
    CHECK(contains(table("x.markdown"), "| one |"));
    CHECK(contains(table("x.HTM"), "<html"));
    // --format decides, whatever the ending says.
    for (const std::string file : {"x.dat", "x.json", "x.csv.gz", "x.svg"}) {
        INFO(file);
        CHECK(bench.run({"sql", "SELECT 1 AS one", "--format", "csv", "--output", file}).status ==
              0);
        CHECK(bench.read(file) == one_csv);
    }
    CHECK(bench.run({"sql", "SELECT 1 AS one", "--output", "-"}).out == "one\n---\n  1\n");
    CHECK(bench.run({"sql", "SELECT 1 AS one", "--format", "csv", "--output", "-"}).out == one_csv);
    CHECK_FALSE(bench.has("-"));
    // Formats of some commands.
    const Words gates = {"diff",      "develop~1",       "develop",
                         "--fail-on", "package-removed", "--output"};
    const auto written = [&](Words words, const std::string& file) {
        words.push_back(file);
        done(bench.run(words));
        return bench.read(file);
    };
    CHECK(written(gates, "gates.xml").starts_with("<?xml"));
    CHECK(written(gates, "gates.junit").starts_with("<?xml"));
    CHECK(contains(written({"report", "history/growth", "--output"}, "growth.SVG"), "<svg"));
    check_run(bench.run({"diff", "develop~1", "develop", "--output", "diff.xml"}),
              {.status = 2, .err = {"--fail-on"}});
}

TEST_CASE("Devices and pipes are written to as they are") {
    const SampleBench bench;
    for (const std::string file : {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
        INFO(file);
        CHECK(write(bench, file).out == one_csv);
    }
    CHECK(write(bench, "/dev/null").status == 0);
    CHECK(fs::is_character_file("/dev/null"));
    REQUIRE(mkfifo(bench.file("pipe").c_str(), 0600) == 0);
    const Run piped = shell(bench,
                            "cat pipe & \"$0\" sql 'SELECT 1 AS one' --format csv "
                            "--output pipe; wait");
    CHECK(piped.out == one_csv);
    CHECK(fs::is_fifo(bench.file("pipe")));
    if (fs::exists("/dev/full")) {
        CHECK(contains(write(bench, "/dev/full").err, "/dev/full: can't be written: No space"));
    }
}

TEST_CASE("An open file that a link names is written where it stands") {
    const SampleBench bench;
    for (const std::string file : {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
        INFO(file);
        bench.write("log", "yesterday\n");
        const std::string command = "\"$0\" sql 'SELECT 1 AS one' --format csv --output " + file;
        CHECK(shell(bench, "{ echo today; " + command + "; echo end; } >> log").status == 0);
        CHECK(bench.read("log") == "yesterday\ntoday\n" + one_csv + "end\n");
        CHECK(shell(bench, "{ echo today; " + command + "; echo end; } > log").status == 0);
        CHECK(bench.read("log") == "today\n" + one_csv + "end\n");
    }
}

TEST_CASE("The database and what SQLite keeps beside it are no place for output") {
    const SampleBench bench;
    const std::string before = bench.database();
    fs::create_symlink("cacheledger.db", bench.file("link"));
    fs::create_hard_link(bench.file("cacheledger.db"), bench.file("other-name"));
    fs::create_directory(bench.file("folder"));
    for (const std::string file :
         {"cacheledger.db", "./cacheledger.db", "folder/../cacheledger.db", "link", "other-name",
          "cacheledger.db-wal", "cacheledger.db-shm", "cacheledger.db-journal"}) {
        const Run run = write(bench, file);
        INFO(file << "\n" << run);
        CHECK(run.status == 2);
        CHECK(contains(run.err, "that is the database"));
    }
    CHECK((bench.database() == before));
    CHECK(write(bench, "cacheledger.db.csv").status == 0);
}

TEST_CASE("What a killed run left beside the file is removed by the next, and no other's") {
    const SampleBench bench;
    const std::set<std::string> before = names(bench);
    Words words = one;
    words.emplace_back("result.csv");
    const auto other = bench.start_until_write(words, 1);
    const std::string draft = fmt::format(".result.csv.cacheledger.{}.0", other->id());
    CHECK(bench.has(draft));
    CHECK(write(bench, "result.csv").status == 0);
    CHECK(bench.has(draft));  // its run is still there
    other->signal(SIGKILL);
    other->wait();
    bench.write(".other.csv.cacheledger.1.0", "of another file");
    bench.write(".result.csv.cacheledger.toml", "of a user");
    CHECK(write(bench, "result.csv").status == 0);
    CHECK_FALSE(bench.has(draft));
    CHECK(bench.has(".other.csv.cacheledger.1.0"));
    CHECK(bench.has(".result.csv.cacheledger.toml"));
    CHECK(bench.read("result.csv") == one_csv);
    CHECK(names(bench).size() == before.size() + 3);
}

TEST_CASE("Where the file system has no locks, files are written all the same") {
    const SampleBench bench;
    const std::map<std::string, std::string> no_locks = {
        {"LD_PRELOAD", paths::faults},
        {"ASAN_OPTIONS", "verify_asan_link_order=0"},
        {"CACHELEDGER_FAULT", "no-locks"}};
    Words words = one;
    words.emplace_back("result.csv");
    CHECK(bench.run(words, "", no_locks).status == 0);
    CHECK(bench.read("result.csv") == one_csv);
    CHECK(bench.run({"backup", "copy.db"}, "", no_locks).status == 0);
    CHECK(bench.run({"--db", "copy.db", "check"}).out == "ok\n");
    // Nothing tells whether its run is still there.
    bench.write(".result.csv.cacheledger.1.0", "left");
    CHECK(bench.run(words, "", no_locks).status == 0);
    CHECK(bench.read(".result.csv.cacheledger.1.0") == "left");
}

TEST_CASE("A file may have the longest name") {
    const SampleBench bench;
    const std::string name(255, 'n');
    CHECK(write(bench, name).status == 0);
    CHECK(write(bench, name).status == 0);
    CHECK(contains(bench.read(name), "one"));
}

}  // namespace output_test
