#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "catch.hpp"
#include "program.hpp"

using program::contains;
using program::lines_of;
using program::read_file;

namespace fs = std::filesystem;

namespace {

const fs::path root = CACHELEDGER_SOURCE;

/// Who may include whom, beside itself.
const std::map<std::string, std::set<std::string>> layers = {
    {"schema", {}},
    {"ingest", {"schema"}},
    {"reports", {"schema"}},
    {"src", {"ingest", "reports", "schema"}},
    {"tests", {"ingest", "reports", "schema"}},
};

/// The files below a folder of the source tree with one of these endings, as paths below the root.
std::vector<fs::path> files(const std::string& folder, const std::set<std::string>& endings) {
    std::vector<fs::path> found;
    for (const auto& file : fs::recursive_directory_iterator(root / folder)) {
        const fs::path path = file.path().lexically_relative(root);
        if (file.is_regular_file() && endings.count(path.extension().string()) > 0) {
            found.push_back(path);
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

struct Include {
    bool quoted = false;
    std::string name;

    std::string folder() const { return name.substr(0, name.find('/')); }
};

std::vector<Include> includes(const fs::path& file) {
    static const std::regex line_of_include(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"].*)");
    std::vector<Include> found;
    for (const std::string& line : lines_of(read_file(root / file))) {
        std::smatch match;
        if (std::regex_match(line, match, line_of_include)) {
            found.push_back({match[1] == "\"", match[2]});
        }
    }
    return found;
}

bool begins(const std::string& text, const std::string& start) {
    return text.rfind(start, 0) == 0;
}

/// The words of a build list, comments left out.
std::set<std::string> listed(const fs::path& list) {
    std::set<std::string> words;
    for (const std::string& line : lines_of(read_file(root / list))) {
        static const std::regex word(R"re([^\s()"]+)re");
        const std::string code = line.substr(0, line.find('#'));
        for (std::sregex_iterator match(code.begin(), code.end(), word), end; match != end;
             ++match) {
            words.insert(match->str());
        }
    }
    return words;
}

}  // namespace

TEST_CASE("Includes go one way") {
    std::size_t arrows = 0;
    for (const auto& [folder, below] : layers) {
        for (const fs::path& file : files(folder, {".cpp", ".hpp"})) {
            for (const Include& include : includes(file)) {
                if (layers.count(include.folder()) > 0 && contains(include.name, "/")) {
                    INFO(file.string() << " includes " << include.name);
                    CHECK((include.folder() == folder || below.count(include.folder()) > 0));
                    CHECK(fs::exists(root / include.name));
                    ++arrows;
                }
            }
        }
    }
    CHECK(arrows > 100);  // the scan does find them
}

TEST_CASE("Includes of the project name their folder") {
    for (const std::string folder : {"schema", "ingest", "reports", "src"}) {
        for (const fs::path& file : files(folder, {".cpp", ".hpp"})) {
            for (const Include& include : includes(file)) {
                INFO(file.string() << " includes " << include.name);
                CHECK(include.quoted == (layers.count(include.folder()) > 0));
            }
        }
    }
}

TEST_CASE("The types of other libraries stay out of the headers") {
    for (const auto& layer : layers) {
        for (const fs::path& file : files(layer.first, {".cpp", ".hpp"})) {
            for (const Include& include : includes(file)) {
                INFO(file.string() << " includes " << include.name);
                const bool parser = begins(include.name, "yaml-cpp/") ||
                                    begins(include.name, "nlohmann/") ||
                                    begins(include.name, "simdjson");
                CHECK_FALSE((parser && file.extension() == ".hpp" && file != "ingest/json.hpp"));
                const bool command_line = begins(include.name, "boost/program_options");
                CHECK((!command_line || layer.first == "src"));
            }
        }
    }
}

TEST_CASE("Every header is included once only") {
    for (const auto& layer : layers) {
        for (const fs::path& file : files(layer.first, {".hpp"})) {
            INFO(file.string());
            const auto lines = lines_of(read_file(root / file));
            CHECK(std::count(lines.begin(), lines.end(), "#pragma once") == 1);
        }
    }
}

TEST_CASE("Every source is in a build list") {
    for (const auto& layer : layers) {
        const std::string& folder = layer.first;
        std::set<std::string> words;
        for (const fs::path& list : files(folder, {".txt"})) {
            if (list.filename() == "CMakeLists.txt") {
                words.merge(listed(list));
            }
        }
        for (const fs::path& file : files(folder, {".cpp", ".sql"})) {
            if (begins(file.string(), "tests/data/")) {
                continue;
            }
            // By its path below the folder, or, as embed_text() takes it, below a folder in that.
            const fs::path below = file.lexically_relative(folder);
            const std::string parent = below.begin()->string();
            INFO(file.string());
            CHECK((words.count(below.generic_string()) > 0 ||
                   words.count(below.lexically_relative(parent).generic_string()) > 0));
        }
    }
}

TEST_CASE("Every report is compiled in") {
    const std::set<std::string> words = listed("reports/CMakeLists.txt");
    const auto reports = files("sql", {".sql"});
    CHECK_FALSE(reports.empty());
    for (const fs::path& file : reports) {
        INFO(file.string());
        CHECK(words.count(file.lexically_relative("sql").generic_string()) > 0);
    }
    CHECK(files("sql", {".cpp"}).empty());
}
