#include <algorithm>
#include <filesystem>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"

namespace documentation_test {

using namespace program;

namespace fs = std::filesystem;

namespace {

const fs::path root = paths::source;

/// A command line of a document, as a reader would type it, and the lines that follow it.
struct Example {
    int line = 0;
    std::string command;
    Words output;
};

bool begins(const std::string& text, const std::string& start) {
    return text.rfind(start, 0) == 0;
}

/// Those of the blocks fenced as `console`, in order. Lines of a command that follow its first
/// begin with "> ", as a shell shows them.
std::vector<Example> examples(const std::string& text) {
    std::vector<Example> found;
    bool in_block = false;
    int number = 0;
    for (const std::string& line : lines_of(text)) {
        ++number;
        if (begins(line, "```")) {
            in_block = !in_block && begins(line, "```console");
        } else if (in_block && begins(line, "$ ")) {
            found.push_back({number, line.substr(2), {}});
        } else if (in_block && begins(line, "> ") && found.back().output.empty()) {
            found.back().command += '\n';
            found.back().command += line.substr(2);
        } else if (in_block && !found.empty()) {
            found.back().output.push_back(line);
        }
    }
    return found;
}

/// What has to be done once, by hand, before the program is there.
bool is_preparation(const std::string& command) {
    for (const std::string start : {"scripts/", "git clone", "cd ", "cmake ", "sudo "}) {
        if (begins(command, start)) {
            return true;
        }
    }
    return false;
}

/// Without what differs from run to run, and without blanks at the ends.
Words comparable(const Words& lines) {
    static const std::regex seconds(R"([0-9]+\.[0-9]{2} seconds)");
    Words all;
    for (const std::string& line : lines) {
        const std::string text = std::regex_replace(line, seconds, "N.NN seconds");
        all.push_back(text.substr(0, text.find_last_not_of(" \t\r") + 1));
    }
    while (!all.empty() && all.back().empty()) {
        all.pop_back();
    }
    return all;
}

/// A line `...` among those of a document stands for any number of lines.
bool matches(const Words& said, std::size_t i, const Words& printed, std::size_t j) {
    if (i == said.size()) {
        return j == printed.size();
    }
    if (said[i] == "...") {
        for (std::size_t rest = j; rest <= printed.size(); ++rest) {
            if (matches(said, i + 1, printed, rest)) {
                return true;
            }
        }
        return false;
    }
    return j < printed.size() && said[i] == printed[j] && matches(said, i + 1, printed, j + 1);
}

std::string joined(const Words& lines) {
    std::string text;
    for (const std::string& line : lines) {
        text += line;
        text += '\n';
    }
    return text;
}

bool is_installed(const std::string& tool) {
    return run_command({"/bin/sh", "-c", "command -v \"$0\" > /dev/null", tool}).status == 0;
}

/// The documents for users and developers, as paths below the root.
std::vector<std::string> documents() {
    std::vector<std::string> found;
    for (const fs::path& folder : {root, root / "docs"}) {
        for (const auto& file : fs::directory_iterator(folder)) {
            if (file.path().extension() == ".md") {
                found.push_back(file.path().lexically_relative(root).generic_string());
            }
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

/// Those that a reader can run in a clone in which scripts/demo has run.
std::vector<Example> runnable_examples(const std::string& document) {
    std::vector<Example> all;
    for (const Example& example : examples(read_file(root / document))) {
        const std::string tool = example.command.substr(0, example.command.find(' '));
        if (is_preparation(example.command)) {
            continue;
        }
        if (tool != "cacheledger" && !is_installed(tool)) {
            WARN(tool + " is not installed");
            continue;
        }
        all.push_back(example);
    }
    return all;
}

const std::string end_of_example = "=== end of an example, status ";

/// What each prints, typed into one shell; the last line is `end_of_example` and its exit code.
std::vector<Words> type_into_shell(const std::vector<Example>& all, const fs::path& folder) {
    std::string script;
    for (const Example& example : all) {
        script += example.command;
        script += "\nprintf '\\n" + end_of_example + "%d\\n' $?\n";
    }
    std::vector<Words> printed(1);
    const Run run = run_command({"/bin/sh", "-c", script}, {folder, "", {}, true});
    for (const std::string& line : lines_of(run.out)) {
        printed.back().push_back(line);
        if (begins(line, end_of_example)) {
            printed.emplace_back();
        }
    }
    INFO(run);
    REQUIRE(printed.size() == all.size() + 1);
    return printed;
}

}  // namespace

TEST_CASE("Every command line of the documents gives what they say, as it is typed") {
    std::set<std::string> with_examples;
    for (const std::string& document : documents()) {
        const auto all = runnable_examples(document);
        const Workbench bench;  // as a clone is in which scripts/demo has run
        fs::create_directories(bench.file("build"));
        fs::create_symlink(paths::program, bench.file("build/cacheledger"));
        fs::create_directory_symlink(root / "tests", bench.file("tests"));
        fs::create_directory_symlink(root / "sql", bench.file("sql"));
        const auto all_printed = type_into_shell(all, bench.folder());
        for (std::size_t i = 0; i < all.size(); ++i) {
            Words lines = all_printed[i];
            const std::string end = lines.back();
            lines.pop_back();
            const Words said = comparable(all[i].output);
            const Words printed = comparable(lines);
            INFO(document << ":" << all[i].line << ": $ " << all[i].command << "\nsays:\n"
                          << joined(said) << "\nprinted:\n"
                          << joined(printed));
            CHECK(matches(said, 0, printed, 0));
            CHECK(end == end_of_example + "0");
            if (begins(all[i].command, "cacheledger ")) {
                with_examples.insert(document);
            }
        }
    }
    CHECK(with_examples.count("README.md") == 1);
    CHECK(with_examples.count("docs/cookbook.md") == 1);
    CHECK(with_examples.count("docs/keeping.md") == 1);
    CHECK(with_examples.count("docs/reports.md") == 1);
    CHECK(with_examples.count("docs/weekly.md") == 1);
}

TEST_CASE("Each recipe for a weekly report has a command that a test runs") {
    const auto all = examples(read_file(root / "docs/weekly.md"));
    for (const std::string command :
         {"cacheledger diff \"$SINCE\" site --format html >> weekly.eml",
          "cacheledger diff \"$SINCE\" site --summary --format markdown > weekly.md",
          "cacheledger coverage tests/data/mirrors/spack.lock --format markdown > comment.txt"}) {
        CHECK(std::any_of(all.begin(), all.end(),
                          [&](const Example& one) { return one.command == command; }));
    }
}

TEST_CASE("The cookbook has 27 questions, in order, each with a command that answers it") {
    const std::string file = "docs/cookbook.md";
    const auto all = runnable_examples(file);
    static const std::regex heading(R"(### ([0-9]+)\. .*)");
    std::vector<int> begins_at;
    int number = 0;
    for (const std::string& line : lines_of(read_file(root / file))) {
        ++number;
        std::smatch match;
        if (std::regex_match(line, match, heading)) {
            begins_at.push_back(number);
            CHECK(std::stoul(match[1].str()) == begins_at.size());
        }
    }
    CHECK(begins_at.size() == 27);
    begins_at.push_back(number);
    for (std::size_t i = 0; i + 1 < begins_at.size(); ++i) {
        INFO("question " << i + 1);
        CHECK(std::any_of(all.begin(), all.end(), [&](const Example& example) {
            return example.line > begins_at[i] && example.line < begins_at[i + 1] &&
                   !example.output.empty();
        }));
    }
}

TEST_CASE("The README takes five minutes to read") {
    std::istringstream words(read_file(root / "README.md"));
    const auto count = std::distance(std::istream_iterator<std::string>(words), {});
    CHECK(count <= 1200);
}

TEST_CASE("The README names every command and both scripts") {
    const std::string readme = read_file(root / "README.md");
    const Workbench bench;
    const Words commands = lines_of(bench.run({"complete", "--", ""}).out);
    CHECK(commands.size() >= 18);
    for (const std::string& command : commands) {
        const std::string name = command.substr(0, command.find('\t'));
        INFO(name);
        CHECK((contains(readme, "cacheledger " + name) || contains(readme, "**" + name + "**") ||
               name == "help"));
    }
    check_has(readme, {"scripts/demo", "scripts/test"});
}

TEST_CASE("The columns of the public views are those that the design lists") {
    static const std::regex row(R"(\| `([a-z_]+)` \| .* \| `([a-z_, ]+)` \|)");
    const SampleBench bench;
    std::size_t views = 0;
    bool in_section = false;
    for (const std::string& line : lines_of(read_file(root / "docs/design.md"))) {
        in_section = begins(line, "#") ? line == "## Public views" : in_section;
        std::smatch match;
        if (in_section && std::regex_match(line, match, row)) {
            const std::string query = "SELECT * FROM " + match[1].str();
            INFO(query);
            const Run run = bench.run({"sql", query, "--limit", "1", "--format", "csv"});
            CHECK(lines_of(run.out).at(0) ==
                  std::regex_replace(match[2].str(), std::regex(", "), ","));
            ++views;
        }
    }
    CHECK(views == 17);
}

}  // namespace documentation_test
