#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>

#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program/program.hpp"

namespace presets_test {

// Building: a folder is configured by one preset only, and a preset does not depend on what a
// folder was configured with before.
using nlohmann::json;
using program::contains;
using program::lines_of;
using program::read_file;
using program::Run;
using program::Words;

namespace fs = std::filesystem;

namespace {

const fs::path root = paths::source;

json presets() {
    return json::parse(read_file(root / "CMakePresets.json")).at("configurePresets");
}

bool is_hidden(const json& preset) {
    return preset.value("hidden", false);
}

/// The names of the variables that a preset sets, or one that it inherits from.
std::set<std::string> variables(const json& all, const json& preset) {
    std::set<std::string> names;
    const json own = preset.value("cacheVariables", json::object());
    for (const auto& variable : own.items()) {
        names.insert(variable.key());
    }
    for (const json& other : all) {
        if (preset.contains("inherits") && other.at("name") == preset.at("inherits")) {
            names.merge(variables(all, other));
        }
    }
    return names;
}

/// The options of the build, as CMakeLists.txt declares them.
Words options() {
    static const std::regex declaration(R"(^(?:option|set)\((CACHELEDGER_\w+) ".*)");
    Words names;
    for (const std::string& line : lines_of(read_file(root / "CMakeLists.txt"))) {
        std::smatch match;
        if (std::regex_match(line, match, declaration)) {
            names.push_back(match[1]);
        }
    }
    return names;
}

Run cmake(Words words) {
    words.insert(words.begin(), "cmake");
    return program::run_command(words, {root, "", {}, true});
}

}  // namespace

TEST_CASE("No two presets share a build folder") {
    std::set<std::string> folders;
    for (const json& preset : presets()) {
        INFO(preset.at("name"));
        CHECK((is_hidden(preset) || folders.insert(preset.at("binaryDir")).second));
    }
    CHECK(folders.size() >= 5);
}

TEST_CASE("Every preset sets every option") {
    const json all = presets();
    Words wanted = options();
    CHECK(wanted.size() >= 3);
    wanted.emplace_back("CMAKE_BUILD_TYPE");
    wanted.emplace_back("CMAKE_UNITY_BUILD");
    for (const json& preset : all) {
        const auto set = variables(all, preset);
        for (const std::string& option : wanted) {
            INFO(preset.at("name") << ": " << option);
            CHECK((is_hidden(preset) || set.count(option) == 1));
        }
    }
}

TEST_CASE("No preset turns warnings off") {
    for (const json& preset : presets()) {
        const json own = preset.value("cacheVariables", json::object());
        const std::string flags = own.value("CMAKE_CXX_FLAGS", "");
        INFO(preset.at("name") << ": " << flags);
        CHECK_FALSE(std::regex_search(flags, std::regex("(^| )-w( |$)")));
    }
}

TEST_CASE("Scripts configure by a preset and nothing else") {
    static const std::regex use(R"re(.*\bcmake\b.*--preset\W+([\w-]+)\b.*)re");
    std::set<std::string> names;
    for (const json& preset : presets()) {
        names.insert(preset.at("name"));
    }
    std::set<std::string> used;
    for (const auto& script : fs::directory_iterator(root / "scripts")) {
        for (const std::string& line : lines_of(read_file(script.path()))) {
            std::smatch match;
            if (std::regex_match(line, match, use)) {
                INFO(script.path() << ": " << line);
                CHECK(names.count(match[1]) == 1);
                CHECK_FALSE(contains(line, " -D"));
                used.insert(match[1]);
            }
        }
    }
    CHECK(used.size() >= 3);
    for (const std::string script : {"demo", "test"}) {
        CHECK(contains(read_file(root / "scripts" / script), "cmake --preset release >"));
    }
}

TEST_CASE("A build folder with other settings gets the program and the tests from the preset") {
    const program::Workbench bench;
    const std::string build = bench.file("build").string();
    const Run before = cmake({"-S", ".", "-B", build, "-DCMAKE_BUILD_TYPE=Debug",
                              "-DCACHELEDGER_TESTS=OFF", "-DCACHELEDGER_SANITIZE=address"});
    INFO(before);
    REQUIRE(before.status == 0);
    const auto has_tests = [&] {
        return contains(cmake({"--build", build, "--target", "help"}).out,
                        "cacheledger_program_tests");
    };
    CHECK_FALSE(has_tests());

    const Run preset = cmake({"--preset", "release", "-B", build});
    INFO(preset);
    REQUIRE(preset.status == 0);
    CHECK(has_tests());
    const std::string cache = bench.read("build/CMakeCache.txt");
    CHECK(contains(cache, "CMAKE_BUILD_TYPE:STRING=Release"));
    CHECK(contains(cache, "CACHELEDGER_SANITIZE:STRING=\n"));
}

}  // namespace presets_test
