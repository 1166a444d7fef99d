#include <algorithm>
#include <regex>
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/filled.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/newcomer.hpp"
#include "tests/support/program/screen.hpp"

namespace help_test {

using namespace program;

namespace {

/// The lines of a section of the help: those below `caption` up to an empty line.
Words section(const std::string& text, const std::string& caption) {
    Words lines;
    bool is_in = false;
    for (const std::string& line : lines_of(text)) {
        if (is_in && line.empty()) {
            break;
        }
        if (is_in) {
            lines.push_back(line);
        }
        is_in = is_in || line == caption;
    }
    return lines;
}

/// The names that "help" explains, as its completion gives them.
Words explained(const Workbench& bench) {
    return lines_of(bench.run({"complete", "--", "help", ""}).out);
}

/// The command lines in a text that stand alone in a line, which begins with two blanks.
Words examples(const std::string& text) {
    Words found;
    for (const std::string& line : lines_of(text)) {
        if (line.rfind("  cacheledger ", 0) == 0) {
            found.push_back(line.substr(2));
        }
    }
    return found;
}

/// The command at the end of an error, which the user is told to type.
std::string hint_of(const Run& run) {
    static const std::regex hint(R"((?:: |see )(cacheledger .*)$)");
    std::smatch match;
    const Words lines = lines_of(run.err);
    return !lines.empty() && std::regex_search(lines.back(), match, hint) ? match[1].str() : "";
}

}  // namespace

TEST_CASE("The first page teaches six commands, and names all") {
    const Filled<Workbench, make_newcomer> bench;
    std::filesystem::rename(bench.file("mirror"), bench.file("MIRROR"));
    const std::string page = bench.run({"--help"}).out;
    const Words lessons = section(page, "start here:");
    CHECK(lessons.size() == 6);
    for (const std::string& line : lessons) {
        const std::size_t begin = line.find("cacheledger ");
        const Run run = type(bench, line.substr(begin, line.find("  ", begin) - begin));
        INFO(line << "\n" << run);
        CHECK(run.status == 0);
        CHECK_FALSE(run.out.empty());
    }
    for (const std::string& command : lines_of(bench.run({"complete", "--", ""}).out)) {
        const std::string name = command.substr(0, command.find('\t'));
        INFO(name);
        CHECK((contains(page, "\n  " + name + " ") || contains(page, "cacheledger " + name + " ")));
    }
}

TEST_CASE("Each example of the help runs") {
    const Filled<Workbench, make_newcomer> bench;
    std::size_t count = 0;
    for (const std::string& name : explained(bench)) {
        const Run help = bench.run({"help", name});
        INFO(name << "\n" << help);
        REQUIRE(help.status == 0);
        for (const std::string& example : examples(help.out)) {
            if (contains(example, "://")) {  // there is no such server
                continue;
            }
            const Run run = type(bench, example);
            INFO(example << "\n" << run);
            // In CI, and of what is not there, the answer "no" is an example.
            const bool may_be_no =
                name == "ci" || contains(example, "'%gcc@11'") || contains(example, "--expect");
            CHECK((run.status == 0 || (may_be_no && run.status == 1)));
            ++count;
        }
    }
    CHECK(count > 50);
}

TEST_CASE("A help fits a screen of 60 columns, and has its examples whole") {
    const Workbench bench;
    for (const std::string& name : explained(bench)) {
        const Words at_60 = lines_of(run_on_screen(bench, {"help", name}, 60).out);
        for (const std::string& line : at_60) {
            INFO(line);
            CHECK((line.size() <= 60 || line.rfind("  ", 0) == 0));
        }
        for (const std::string& line : lines_of(bench.run({"help", name}).out)) {
            INFO(line);
            CHECK(line.size() <= 80);
        }
    }
}

TEST_CASE("The help names its topics, and each is explained") {
    const Workbench bench;
    const std::string help = bench.run({"help"}).out;
    CHECK(help == bench.run({"--help"}).out);
    for (const std::string topic :
         {"snapshots", "specs", "filters", "formats", "sources", "sql", "ci", "examples"}) {
        INFO(topic);
        CHECK(contains(help, topic));
        CHECK(contains(done(bench.run({"help", topic})).out, "\nExamples:\n") !=
              (topic == "examples"));
    }
    CHECK(bench.run({"help", "diff"}).out == bench.run({"diff", "--help"}).out);
    CHECK(bench.run({"help", "coverage/gaps"}).out ==
          bench.run({"report", "coverage/gaps", "--help"}).out);
    CHECK(bench.run({"help", "report", "coverage/gaps"}).out ==
          bench.run({"help", "coverage/gaps"}).out);
}

TEST_CASE("What many commands have is explained once, and named by each") {
    const Workbench bench;
    for (const std::string name : {"diff", "why", "specs", "check", "coverage/gaps"}) {
        const std::string help = bench.run({"help", name}).out;
        INFO(help);
        CHECK(contains(help, "--output FILE, --guard-formulas: see 'cacheledger"));
        CHECK_FALSE(contains(help, "carriage return"));
    }
    CHECK(contains(bench.run({"help", "formats"}).out, "carriage return"));
    const std::string manual = bench.run({"help", "--man"}).out;
    CHECK(manual.find("carriage return") == manual.rfind("carriage return"));
}

TEST_CASE("A report's own options stand before those of all reports") {
    const Workbench bench;
    const std::string help = bench.run({"report", "coverage/gaps", "--help"}).out;
    CHECK(help.find("--percent") < help.find("general options:"));
    CHECK(help.find("--format") > help.find("general options:"));
}

TEST_CASE("A mistyped word is answered with the one that is meant") {
    const Filled<Workbench, make_newcomer> bench;
    const std::vector<std::pair<Words, std::string>> mistyped = {
        {{"dif"}, "diff"},
        {{"snapshot"}, "snapshots"},
        {{"coverage/stack"}, "report coverage/stacks"},
        {{"systems"}, "report coverage/systems"},
        {{"--verison"}, "--version"},
        {{"diff", "--formt", "csv"}, "--format"},
        {{"report", "coverage/gaps", "--stak", "e4s"}, "--stack"},
        {{"report", "coverage/gap"}, "coverage/gaps"},
        {{"report", "coverage/gaps", "--param", "percnt=3"}, "percent"},
        {{"diff", "develp"}, "develop"},
        {{"specs", "hdf6"}, "hdf5"},
        {{"specs", "hdf5", "--stack", "e4"}, "e4s"},
        {{"history", "koko"}, "kokkos"},
        {{"history", "hdf5", "--series", "devel"}, "develop"},
        {{"diff", "--kind", "package-add"}, "package-added"},
        {{"snapshots", "--format", "jsn"}, "json"},
        {{"dependents", "zlib", "--deptype", "lnik"}, "link"},
        {{"report", "drift/specs", "--cause", "rebuild"}, "rebuilt"},
        {{"sql", "--schema", "spcs"}, "specs"},
        {{"sql", "SELECT pakage FROM specs"}, "package"},
        {{"sql", "SELECT 1 FROM latest_spec"}, "latest_specs"},
        {{"help", "formt"}, "formats"},
        {{"report", "coverage/stacks", "--package", "nump"}, "py-numpy"},
        {{"report", "coverage/targets", "--target", "x86_64_v33"}, "x86_64_v3"},
        {{"report", "coverage/targets", "--compiler", "gc"}, "gcc"},
    };
    for (const auto& [words, meant] : mistyped) {
        const Run run = done(bench.run(words), 2);
        CHECK(contains(run.err, "did you mean"));
        CHECK(contains(run.err.substr(std::min(run.err.find("did you mean"), run.err.size())),
                       meant));
    }
}

TEST_CASE("Words of other programs are answered with the command that does it") {
    const Filled<Workbench, make_newcomer> bench;
    for (const std::string word :
         {"undo", "ls", "list", "show", "search", "find", "stats", "status", "load", "log",
          "delete", "gc", "fsck", "compare", "export"}) {
        const Run run = done(bench.run({word}), 2);
        const Run typed = type(bench, hint_of(run));
        INFO(typed);
        CHECK(typed.status <= 1);
        CHECK_FALSE(typed.out.empty());
    }
    CHECK(contains(bench.run({"snapshots", "--json"}).err, "write --format json"));
    CHECK(contains(bench.run({"diff", "--since", "yesterday"}).err, "'develop@{1 week ago}'"));
    CHECK(contains(bench.run({"-q", "diff"}).err, "hides notes"));
    for (const std::string option : {"-q", "-v", "--quiet", "--verbose"}) {
        check_run(bench.run({"snapshots", option}), {.status = 2, .err = {"hid"}});
    }
    CHECK(bench.run({"help", "gates"}).out == bench.run({"help", "ci"}).out);
    CHECK(bench.run({"report", "coverage", "stacks"}).out ==
          bench.run({"report", "coverage/stacks"}).out);
    CHECK(bench.run({"help", "coverage", "stacks"}).out ==
          bench.run({"help", "coverage/stacks"}).out);
}

TEST_CASE("What an error tells to type can be typed") {
    const Filled<Workbench, make_newcomer> bench;
    bench.write("bad/zlib.md", page("zlib", details({entry('q')})));
    bench.write("bad/cmake.md", page("cmake", details({entry('r')})));
    bench.write("bad/broken.md", "---\ntitle: x\n");
    std::filesystem::copy(bench.file("cacheledger.db"), bench.file("my ledger.db"));
    const std::vector<Words> refused = {
        {"frobnicate"},
        {"--frobnicate"},
        {"stacks"},
        {"diff", "--qqqqqqqqqq"},
        {"diff", "a", "b", "c"},
        {"help", "qqqqqqqqqq"},
        {"report", "qqqqqqqqqq"},
        {"report", "--format", "csv", "coverage/stacks"},
        {"report", "coverage/stacks", "--stacks"},
        {"report", "coverage/versions", "--stack", "qqqqqqqqqq"},
        {"specs", "qqqqqqqqqq"},
        {"history", "hdf5", "--series", "qqqqqqqqqq"},
        {"dependents", "hdf5@99"},
        {"coverage"},
        {"sql"},
        {"sql", "--schema", "qqqqqqqqqq"},
        {"forget"},
        {"ingest"},
        {"ingest", "bad", "--taken-at", "2025-05-01"},
    };
    for (const std::string database : {"", "my ledger.db"}) {
        for (Words words : refused) {
            if (!database.empty()) {
                words.insert(words.begin(), {"--db", database});
            }
            const Run run = bench.run(words);
            INFO(run);
            CHECK(run.status >= 2);
            const std::string hint = hint_of(run);
            REQUIRE_FALSE(hint.empty());
            if (!database.empty() && !contains(hint, "help")) {
                CHECK(contains(hint, " --db 'my ledger.db' "));
            }
            const Run typed = type(bench, hint);
            INFO(hint << "\n" << typed);
            CHECK(typed.status <= (contains(hint, " specs ") ? 1 : 0));
            CHECK_FALSE(typed.out.empty());
        }
    }
    for (const std::string text : {"missing.db", "empty.db"}) {
        const Run run = bench.run({"--db", text, "snapshots"});
        CHECK(type(bench, hint_of(run)).status == 0);
        bench.write("empty.db", "");
    }
}

TEST_CASE("A git repository without --history is answered with the command for it") {
    const Filled<Workbench, make_newcomer> bench;
    const Run run = done(bench.run({"ingest", "cache.spack.io.git"}), 3);
    CHECK(hint_of(run) == "cacheledger ingest --history cache.spack.io.git");
    bench.write("cache.spack.io.git/zlib.md", page("zlib", details({entry('q')}), "v9"));
    const Run pages = done(bench.run({"ingest", "cache.spack.io.git"}));
    CHECK(contains(pages.err, "only the files that are checked out are read: "));
    CHECK(type(bench, hint_of(pages)).status == 0);
}

TEST_CASE("A bad page among more good ones: the refusal says how to load the others") {
    const Workbench bench;
    bench.write("p/cmake.md", page("cmake", details({entry('r')})));
    bench.write("p/zlib.md", page("zlib", details({entry('q')})));
    bench.write("p/bad.md", "---\ntitle: x\n");
    const Run run = done(bench.run({"ingest", "p", "--taken-at", "2025-05-01"}), 3);
    CHECK(hint_of(run) == "cacheledger ingest --keep-going p --taken-at 2025-05-01");
    CHECK(type(bench, hint_of(run)).status == 0);
    CHECK(bench.run({"ingest", "p/bad.md"}).errors().size() == 1);  // there are no others
}

TEST_CASE("A screen shows that pages are read, and then that indexes are written") {
    const Workbench bench;
    bench.write("p/zlib.md", page("zlib", details({entry('q')})));
    const Run run = run_on_screen(bench, {"ingest", "p"}, 80);
    INFO(run);
    CHECK(contains(run.out, "pages read: 1; writing indexes and snapshots"));
}

TEST_CASE("An option that is typed as a command is suggested as the option") {
    const Workbench bench;
    CHECK(bench.run({"version"}).err ==
          "cacheledger: no command 'version'; did you mean the option --version?\n");
}

TEST_CASE("No line of the front page is wider than a terminal") {
    const Workbench bench;
    for (const std::string& line : lines_of(bench.run({"--help"}).out)) {
        INFO(line);
        CHECK(line.size() <= 80);
    }
}

}  // namespace help_test
