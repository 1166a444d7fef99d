#include <chrono>
#include <filesystem>
#include <regex>
#include <string>

#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/filled.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/newcomer.hpp"
#include "tests/support/program/screen.hpp"

namespace completion_test {

using namespace program;

namespace fs = std::filesystem;

namespace {

const fs::path scripts = fs::path(paths::source) / "src/shell/completion";
const std::string breaks = " \t\n\"'@><=;|&(:";  // COMP_WORDBREAKS, if nobody changes it

/// Without the explanations.
Words completed(const Run& run) {
    CHECK(run.status == 0);
    CHECK(run.err.empty());
    Words texts;
    for (const std::string& line : lines_of(run.out)) {
        texts.push_back(line.front() == '\t' ? line : line.substr(0, line.find('\t')));
    }
    return texts;
}

Words complete(const Workbench& bench, Words words) {
    words.insert(words.begin(), {"complete", "--"});
    return completed(bench.run(words));
}

/// What bash would insert for a line up to the cursor.
Words complete_line(const Workbench& bench, const std::string& line) {
    return completed(bench.run({"complete", "--line", line, breaks}));
}

bool has(const Words& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// What to type in each shell, and what the program then gets.
struct Typed {
    std::string keys;
    std::string arguments;
};

const std::vector<Typed> typed_lines = {
    {"cacheledger dif\t", "[diff]"},
    {"cacheledger diff --ki\tpackage-a\t", "[diff][--kind][package-added]"},
    {"cacheledger diff develop@2025-02\t", "[diff][develop@2025-02-01T00:00:00Z]"},
    {"cacheledger diff 'develop@2025-02\t", "[diff][develop@2025-02-01T00:00:00Z]"},
    {"cacheledger diff \"develop@2025-02\t", "[diff][develop@2025-02-01T00:00:00Z]"},
    {"cacheledger diff 'develop@{1 w\t", "[diff][develop@{1 week ago}]"},
    {"cacheledger diff develop@y\bd\b\\{y\t", "[diff][develop@{yesterday}]"},
    {"cacheledger diff develop~\t", "[diff][develop~1]"},
    {"cacheledger history hdf5 --series 'develop-\t", "[history][hdf5][--series][develop-*]"},
    {"cacheledger history hdf5 --series develop-\t", "[history][hdf5][--series][develop-*]"},
    {"cacheledger specs hdf\t --stack=e\t", "[specs][hdf5][--stack=e4s]"},
    {"cacheledger specs --stack '(\t", "[specs][--stack][(no stack)]"},
    {"cacheledger report coverage/ga\t --package py\t",
     "[report][coverage/gaps][--package][py-numpy]"},
    {"cacheledger coverage spack.l\t", "[coverage][spack.lock]"},
};

/// Types the lines into the shell, where `cacheledger` prints its arguments instead, and compares.
void check_shell(const Words& shell, const std::string& function, const Words& first) {
    const Filled<Workbench, make_newcomer> bench;
    bench.write("function", function);
    Words lines = first;
    for (const Typed& typed : typed_lines) {
        lines.push_back(typed.keys);
    }
    const std::string path = program_folder() + ":/usr/bin:/bin";
    const std::string out = type_into_shell(
        bench, shell, lines, "<end>",
        {{"PATH", path}, {"HOME", bench.folder().string()}, {"XDG_CONFIG_HOME", bench.folder()}});
    std::size_t at = 0;
    for (const Typed& typed : typed_lines) {
        const std::string begin = "<begin>";
        at = out.find(begin + "[", at);
        const std::size_t end = out.find("<end>", std::min(at, out.size()));
        INFO(out);
        REQUIRE(end != std::string::npos);
        at += begin.size();
        INFO(typed.keys);
        CHECK(out.substr(at, end - at) == typed.arguments);
    }
}

const std::string posix_function =
    "cacheledger() { if [ \"$1\" = complete ]; then command cacheledger \"$@\"; else "
    "printf '<%s>' begin; printf '[%s]' \"$@\"; printf '<%s>\\n' end; fi; }\n";

bool is_installed(const std::string& shell) {
    if (run_command({"/bin/sh", "-c", "command -v \"$0\" > /dev/null", shell}).status == 0) {
        return true;
    }
    WARN(shell + " is not installed");
    return false;
}

}  // namespace

TEST_CASE("Commands, options, their values, reports and topics are completed") {
    const Workbench bench;
    CHECK(complete(bench, {"d"}) == Words{"diff", "dependents"});
    CHECK(complete(bench, {"--d"}) == Words{"--db"});
    CHECK(complete(bench, {"diff", "--exi"}) == Words{"--exit-code"});
    CHECK(has(complete(bench, {"diff", "--all", "--"}), "--db"));
    CHECK_FALSE(has(complete(bench, {"diff", "--all", "--"}), "--all"));
    CHECK(complete(bench, {"diff", "--format", "js"}) == Words{"json"});
    CHECK(complete(bench, {"diff", "--format=js"}) == Words{"--format=json"});
    CHECK(complete(bench, {"diff", "--kind", "package-"}) ==
          Words{"package-added", "package-removed"});
    CHECK(complete(bench, {"dependents", "zlib", "--deptype", "build,r"}) == Words{"build,run"});
    CHECK(complete(bench, {"diff", "--kind", "rebuilt", "--kind", "cop"}) ==
          Words{"copies-changed"});
    CHECK(complete(bench, {"diff", "--fail-on", "version,stack-l"}) == Words{"version,stack-left"});
    CHECK(complete(bench, {"diff", "--format", "ju"}) == Words{"junit"});
    CHECK(complete(bench, {"specs", "--format", "ju"}).empty());
    CHECK(complete(bench, {"diff", "--by", ""}) == Words{"package", "stack"});
    CHECK(complete(bench, {"report", "coverage/ga"}) == Words{"coverage/gaps"});
    CHECK(complete(bench, {"report", "coverage/gaps", "--per"}) == Words{"--percent"});
    CHECK(complete(bench, {"report", "coverage/gaps", "c"}).empty());
    CHECK(complete(bench, {"report", "drift/specs", "--cause", "reb"}) == Words{"rebuilt"});
    CHECK(complete(bench, {"help", "sna"}) == Words{"snapshots"});
    CHECK(complete(bench, {"sql", "--schema", "latest"}) == Words{"latest_specs"});
    CHECK(complete(bench, {"ingest", ""}) == Words{"\tfiles"});
    CHECK(complete(bench, {"--db", ""}) == Words{"\tfiles"});
    CHECK(complete(bench, {"report", "--reports", ""}) == Words{"\tfolders"});
    bench.write("own/mine/one.sql",
                "-- title: Mine\n-- param: at snapshot = latest  when\nSELECT 1\n");
    CHECK(complete(bench, {"report", "--reports", "own", "mi"}).empty());
    CHECK(complete(bench, {"report", "mi"}).empty());
    CHECK(complete(bench, {"report", "mine/one", "--reports", "own", "--a"}) == Words{"--at"});
}

TEST_CASE("Every option of every command is completed") {
    const Workbench bench;
    for (const std::string& command : complete(bench, {""})) {
        const std::string help = bench.run({"help", command}).out;
        const Words options = complete(bench, {command, "--"});
        for (const std::string& line : lines_of(help)) {
            if (line.rfind("  --", 0) == 0) {
                INFO(command << ": " << line);
                CHECK(has(options, line.substr(2, line.find(' ', 2) - 2)));
            }
        }
    }
}

TEST_CASE("Every value that is a name is completed") {
    const Filled<Workbench, make_newcomer> bench;
    // Their values are new, or numbers, or texts of the user's own.
    const Words free = {"NAME=VALUE", "SECONDS", "ROWS",    "EVENTS",  "PERCENT", "TIME",     "N",
                        "RANGE",      "FROM=TO", "integer", "INTEGER", "other",   "families", "has",
                        "lacks",      "title",   "ledger",  "ROLE",    "AGE",     "URL"};
    Words commands = complete(bench, {""});
    for (const std::string& report : complete(bench, {"report", ""})) {
        commands.push_back(report);
    }
    for (const std::string& command : commands) {
        const bool is_report = contains(command, "/");
        for (const std::string& line : lines_of(bench.run({"help", command}).out)) {
            static const std::regex of_option(R"(^  --([a-z-]+) ([A-Za-z=]+)( .*)?$)");
            std::smatch match;
            if (!std::regex_match(line, match, of_option) || has(free, match[2]) ||
                has(free, match[1])) {
                continue;
            }
            Words words = is_report ? Words{"report", command} : Words{command};
            words.insert(words.end(), {"--" + match[1].str(), ""});
            INFO(command << ": " << line);
            const bool has_no_names = has({"ref", "spec", "kind", "deptype"}, match[1]);
            CHECK((has_no_names || !complete(bench, words).empty()));
        }
    }
}

TEST_CASE("Names of the ledger are completed") {
    const Filled<Workbench, make_newcomer> bench;
    CHECK(complete(bench, {"diff", "develop@2025-0"}) ==
          Words{"develop@2025-02-01T00:00:00Z", "develop@2025-03-01T00:00:00Z"});
    CHECK(complete(bench, {"forget", "la"}) == Words{"latest"});
    CHECK(complete(bench, {"diff", "develop", "develop~"}) == Words{"develop~1"});
    CHECK(complete(bench, {"diff", "develop-*"}) == Words{"develop-*"});
    CHECK(complete(bench, {"diff", "develop@{y"}) == Words{"develop@{yesterday}"});
    CHECK(complete(bench, {"specs", "h"}) == Words{"hdf5"});
    CHECK(complete(bench, {"specs", "zlib@"}) == Words{"zlib@1.3", "zlib@1.3.1"});
    CHECK(complete(bench, {"specs", "/abc2345b"}) == Words{"/abc2345b" + std::string(24, 'a')});
    CHECK(complete(bench, {"specs", "--stack", "e"}) == Words{"e4s"});
    CHECK(complete(bench, {"diff", "--package", "py"}) == Words{"py-numpy"});
    CHECK(complete(bench, {"history", "zlib", "--series", "d"}) == Words{"develop", "develop-*"});
    CHECK(complete(bench, {"report", "coverage/stacks", "--at", "develop-2025-03-3"}) ==
          Words{"develop-2025-03-30"});
    CHECK(has(complete(bench, {"coverage", ""}), "\tfiles"));
    CHECK(has(complete(bench, {"diff", ""}), "\tfiles"));
    CHECK(complete(bench, {"specs", "--at", "spack."}) == Words{"\tfiles"});
    CHECK(has(complete(bench, {"coverage", ""}), "latest"));
    CHECK(complete(bench, {"report", "coverage/targets", "--target", "x"}) == Words{"x86_64_v3"});
    CHECK(complete(bench, {"report", "coverage/targets", "--variant", "+m"}) == Words{"+mpi"});

    fs::rename(bench.file("cacheledger.db"), bench.file("other one.db"));
    CHECK(complete(bench, {"specs", "h"}).empty());
    CHECK(complete(bench, {"--db", "other one.db", "specs", "h"}) == Words{"hdf5"});
    CHECK(completed(bench.run({"complete", "--", "--db", "~/other one.db", "specs", "h"}, "",
                              {{"HOME", bench.folder().string()}})) == Words{"hdf5"});
    CHECK(complete(bench, {"specs", "--db=other one.db", "h"}) == Words{"hdf5"});
    CHECK(completed(bench.run({"complete", "--", "specs", "h"}, "",
                              {{"CACHELEDGER_DB", "other one.db"}})) == Words{"hdf5"});
}

TEST_CASE("Names of the ledger are completed in their order") {
    const Workbench bench;
    for (const std::string package : {"zlib", "hdf5", "cmake"}) {
        bench.write("pages/" + package + ".md", page(package, details({})));
        REQUIRE(bench.run({"ingest", "pages", "--taken-at", "2025-01-01", "--replace"}).status ==
                0);
    }
    CHECK(complete(bench, {"specs", ""}) == Words{"cmake", "hdf5", "zlib"});
}

TEST_CASE("A completion writes nothing and says nothing if it finds nothing") {
    const Filled<Workbench, make_newcomer> bench;
    fs::create_directory(bench.file("only"));
    fs::copy(bench.file("cacheledger.db"), bench.file("only/cacheledger.db"));
    bench.write("text.db", "no database");
    const std::string before = bench.read("only/cacheledger.db");
    CHECK(complete(bench, {"--db", "only/cacheledger.db", "specs", "h"}) == Words{"hdf5"});
    CHECK(bench.read("only/cacheledger.db") == before);
    CHECK(std::distance(fs::directory_iterator(bench.file("only")), {}) == 1);
    for (const std::string file : {"text.db", "missing.db", "only", "/dev/null", ""}) {
        CHECK(complete(bench, {"--db", file, "specs", "h"}).empty());
    }
    CHECK(complete(bench, {"frobnicate", ""}).empty());
    CHECK(complete(bench, {"diff", "--frobnicate", "--kin"}) == Words{"--kind"});
    for (const Words& words : std::vector<Words>{
             {"complete"}, {"complete", "--"}, {"complete", "--line"}, {"complete", "x"}}) {
        check_run(bench.run(words), {.all_err = ""});
    }
}

TEST_CASE("bash gets what replaces the last word, quoted as the user began to") {
    const Filled<Workbench, make_newcomer> bench;
    CHECK(complete_line(bench, "cacheledger dif") == Words{"diff"});
    CHECK(complete_line(bench, "cacheledger diff develop@2025-02") ==
          Words{"@2025-02-01T00:00:00Z"});
    CHECK(complete_line(bench, "cacheledger diff develop\\@2025-02") ==
          Words{"develop@2025-02-01T00:00:00Z"});
    CHECK(complete_line(bench, "cacheledger diff develop@2025-02-01T00:") == Words{"00:00Z"});
    CHECK(complete_line(bench, "cacheledger diff 'develop@{1 w") == Words{"develop@{1 week ago}"});
    CHECK(complete_line(bench, "cacheledger diff develop'@{1 w") == Words{"@{1 week ago}"});
    CHECK(complete_line(bench, "cacheledger diff develop@{1\\ w") ==
          Words{"@\\{1\\ week\\ ago\\}"});
    CHECK(complete_line(bench, "cacheledger diff develop-\\*") == Words{"develop-\\*"});
    CHECK(complete_line(bench, "cacheledger specs --stack '(") == Words{"(no stack)"});
    CHECK(complete_line(bench, "cacheledger specs --stack \\(") == Words{"\\(no\\ stack\\)"});
    CHECK(complete_line(bench, "cacheledger specs --stack=e") == Words{"e4s"});
    CHECK(complete_line(bench, "cacheledger 'report' \"coverage/stacks\" --at 'develop'~") ==
          Words{"develop~1"});
}

TEST_CASE("A completion of a ledger takes no noticeable time") {
    const Filled<Workbench, make_newcomer> bench;
    const auto start = std::chrono::steady_clock::now();
    complete(bench, {"specs", ""});
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(2));
}

TEST_CASE("bash completes what is typed") {
    check_shell(
        {"bash", "--norc", "--noprofile", "-i"}, posix_function,
        {". ./function; . " + (scripts / "cacheledger.bash").string() + "; printf '<%s>\\n' end"});
}

TEST_CASE("zsh completes what is typed") {
    if (is_installed("zsh")) {
        check_shell({"zsh", "-f", "-i"}, posix_function,
                    {"fpath=(" + scripts.string() +
                     " $fpath); autoload -Uz compinit; compinit -u -D; . ./function; "
                     "printf '<%s>\\n' end"});
    }
}

TEST_CASE("fish completes what is typed") {
    if (is_installed("fish")) {
        check_shell({"fish", "--no-config", "-i"},
                    "function cacheledger\n"
                    "  if test \"$argv[1]\" = complete\n    command cacheledger $argv\n"
                    "  else\n    printf '<%s>' begin; printf '[%s]' $argv; printf '<%s>\\n' end\n"
                    "  end\nend\n",
                    {"source function; source " + (scripts / "cacheledger.fish").string() +
                     "; printf '<%s>\\n' end"});
    }
}

}  // namespace completion_test
