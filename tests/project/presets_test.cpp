#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <utility>

#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"

namespace presets_test {

// Building: a folder is configured by one preset only, and a preset does not depend on what a
// folder was configured with before.
// What is shipped: the Debian package that cpack makes of this build, and Spack's recipe.
using namespace program;
using nlohmann::json;

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
    return run_command(words, {root, "", {}, true});
}

bool has_program(const std::string& name) {
    return run_command({"/bin/sh", "-c", "command -v \"$0\" > /dev/null", name}).status == 0;
}

bool can_package() {
    return has_program("dpkg-shlibdeps") && has_program("dpkg-deb") && has_program("file");
}

/// Makes the package in a folder of the bench, with the umask of scripts/package, and returns its
/// path. It does not build first, which other tests would notice: for Ninja cpack has no such step.
fs::path make_package(const Workbench& bench, const std::string& folder) {
    const fs::path cpack = fs::path(paths::cmake).parent_path() / "cpack";
    const Run run =
        done(run_command({"/bin/sh", "-c", "umask 022; exec \"$0\" \"$@\"", cpack.string(),
                          "--config", std::string(paths::build) + "/CPackConfig.cmake", "-B",
                          bench.file(folder).string(), "-D", "CPACK_CMAKE_GENERATOR=Ninja"},
                         {root, "", {{"SOURCE_DATE_EPOCH", "1700000000"}}, true}));
    for (const auto& file : fs::directory_iterator(bench.file(folder))) {
        if (file.path().extension() == ".deb") {
            return file.path();
        }
    }
    FAIL("cpack made no package");
    return {};
}

std::string recipe(const std::string& package) {
    return read_file(root / "packaging/spack/packages" / package / "package.py");
}

/// All first groups of what matches in the text.
std::set<std::string> all_found(const std::string& text, const std::string& expression) {
    const std::regex wanted(expression);
    std::set<std::string> found;
    for (auto match = std::sregex_iterator(text.begin(), text.end(), wanted);
         match != std::sregex_iterator(); ++match) {
        found.insert((*match)[1]);
    }
    return found;
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
    const Workbench bench;
    const std::string build = bench.file("build").string();
    const Run before = done(cmake({"-S", ".", "-B", build, "-DCMAKE_BUILD_TYPE=Debug",
                                   "-DCACHELEDGER_TESTS=OFF", "-DCACHELEDGER_SANITIZE=address"}));
    const auto has_tests = [&] {
        return contains(cmake({"--build", build, "--target", "help"}).out,
                        "cacheledger_program_tests");
    };
    CHECK_FALSE(has_tests());

    const Run preset = done(cmake({"--preset", "release", "-B", build}));
    CHECK(has_tests());
    const std::string cache = bench.read("build/CMakeCache.txt");
    check_has(cache, {"CMAKE_BUILD_TYPE:STRING=Release", "CACHELEDGER_SANITIZE:STRING=\n"});
}

TEST_CASE("The recipe of Spack builds by the options of the preset release") {
    const auto presets = nlohmann::json::parse(read_file(root / "CMakePresets.json"));
    const auto& all = presets.at("configurePresets");
    const auto release = std::ranges::find(all, "release", [](const auto& preset) {
        return preset.at("name").template get<std::string>();
    });
    REQUIRE(release != all.end());
    const auto& variables = release->at("cacheVariables");
    REQUIRE(variables.at("CMAKE_UNITY_BUILD") == "ON");
    CHECK(contains(recipe("cacheledger"), R"(self.define("CMAKE_UNITY_BUILD", True))"));
    CHECK(contains(recipe("cacheledger"),
                   fmt::format(R"(self.define("CMAKE_UNITY_BUILD_BATCH_SIZE", "{}"))",
                               variables.at("CMAKE_UNITY_BUILD_BATCH_SIZE").get<std::string>())));
}

TEST_CASE("A package has the program, and is made of the same bytes each time") {
    if (!can_package()) {
        WARN("dpkg-dev or file is not installed");
        return;
    }
    const Workbench bench;
    const fs::path package = make_package(bench, "once");
    const Run files = run_command({"dpkg-deb", "--contents", package.string()});
    for (const std::string name :
         {"usr/bin/cacheledger", "usr/share/man/man1/cacheledger.1.gz",
          "usr/share/cacheledger/spack-ledger/ledger/cmd/ledger.py",
          "usr/share/bash-completion/completions/cacheledger",
          "usr/share/zsh/vendor-completions/_cacheledger",
          "usr/share/fish/vendor_completions.d/cacheledger.fish",
          "usr/share/doc/cacheledger/copyright", "usr/share/doc/cacheledger/changelog.gz",
          "usr/share/doc/cacheledger/README.md", "usr/share/doc/cacheledger/docs/cookbook.md"}) {
        INFO(name << "\n" << files);
        CHECK(contains(files.out, " ./" + name + "\n"));
    }
    if (fs::exists(fs::path(paths::build) / "site-bundle/index.html")) {
        CHECK(contains(files.out, " ./usr/share/cacheledger/site/licences.txt\n"));
    }
    CHECK(contains(files.out, " 2023-11-14 "));
    CHECK_FALSE(std::regex_search(files.out, std::regex(R"(^[d-].{7}w)", std::regex::multiline)));
    CHECK_FALSE(contains(files.out, "site-functions"));

    const std::string version = lines_of(bench.run({"--version"}).out).at(0).substr(12);
    const Run control = run_command({"dpkg-deb", "--field", package.string()});
    INFO(control);
    CHECK(contains(control.out, "\nPackage: cacheledger\n"));
    const auto revisions = all_found(control.out, "\nVersion: " + version + "-(.+)");
    REQUIRE(revisions.size() == 1);
    // On Debian testing and unstable, too, which have no number yet.
    for (const auto& [comparison, other] : {std::pair{"ge", "1~debian12"}, {"lt", "1~debian99"}}) {
        CHECK(run_command({"dpkg", "--compare-versions", *revisions.begin(), comparison, other})
                  .status == 0);
    }
    // All but the first are opened on demand.
    for (const std::string library : {"libsqlite3-0", "libcurl", "libgit2-", "libssl3"}) {
        INFO(library);
        CHECK(std::regex_search(control.out, std::regex("\nDepends: (.*, )?" + library)));
    }

    CHECK(read_file(make_package(bench, "again")) == read_file(package));
}

TEST_CASE("The package installs where it is unpacked") {
    if (!can_package()) {
        WARN("dpkg-dev or file is not installed");
        return;
    }
    const Workbench bench;
    const fs::path package = make_package(bench, "package");
    const Run unpacked =
        done(run_command({"dpkg-deb", "--extract", package.string(), bench.file("root").string()}));
    const std::string installed = bench.file("root/usr/bin/cacheledger").string();
    CHECK(run_command({installed, "--version"}).out == bench.run({"--version"}).out);
    const std::string ledger = bench.file("ledger.db").string();
    const std::string pages = (fs::path(paths::data) / "pages/earlier").string();
    done(run_command({installed, "--db", ledger, "ingest", pages, "--taken-at", "2025-02-10"}));
    const Words site = {installed, "--db", ledger, "site", bench.file("site").string()};
    const fs::path bundle = bench.file("root/usr/share/cacheledger/site");
    if (fs::exists(bundle)) {
        done(run_command(site));
        fs::remove_all(bundle);
    }
    CHECK(run_command(site).err ==
          fmt::format("cacheledger: the pages of a site are not built, because npm was missing "
                      "(expected in {}); install a cacheledger that was built where npm is "
                      "installed\n",
                      bundle.string()));
}

TEST_CASE("Spack's recipe depends on every library of the build") {
    static const std::map<std::string, std::string> packages = {{"PkgConfig", "pkgconfig"},
                                                                {"SQLite3", "sqlite"},
                                                                {"SQLiteCpp", "sqlitecpp"},
                                                                {"yaml-cpp", "yaml-cpp"},
                                                                {"nlohmann_json", "nlohmann-json"},
                                                                {"simdjson", "simdjson"},
                                                                {"fmt", "fmt"},
                                                                {"Boost", "boost"},
                                                                {"ZLIB", "zlib-api"},
                                                                {"libdeflate", "libdeflate"},
                                                                {"libcrypto", "openssl"},
                                                                {"libgit2", "libgit2"},
                                                                {"libcurl", "curl"},
                                                                {"libutf8proc", "utf8proc"},
                                                                {"libpq", "postgresql"},
                                                                {"TBB", "tbb"}};
    const std::string build = read_file(root / "CMakeLists.txt");
    std::set<std::string> libraries = all_found(build, R"(find_package\(([\w-]+))");
    libraries.merge(all_found(build, R"(pkg_check_modules\(\w+.* ([\w-]+)[\d>=.]*\))"));
    libraries.erase("Threads");
    libraries.erase("Catch2");
    CHECK(libraries.size() >= 14);
    const auto wanted = all_found(recipe("cacheledger"), R"re(depends_on\("([\w-]+))re");
    for (const std::string& library : libraries) {
        INFO(library);
        REQUIRE(packages.count(library) == 1);
        CHECK(wanted.count(packages.at(library)) == 1);
    }
}

TEST_CASE("Spack's recipe sets options that the build has") {
    const auto options = all_found(recipe("cacheledger"), R"re("(CACHELEDGER_\w+)")re");
    CHECK(options.size() >= 3);
    const std::string build =
        read_file(root / "CMakeLists.txt") + read_file(root / "reports/web/CMakeLists.txt");
    for (const std::string& option : options) {
        INFO(option);
        CHECK(contains(build, "option(" + option + " "));
    }
}

TEST_CASE("Spack's recipes are Python") {
    for (const std::string package : {"cacheledger", "sqlitecpp"}) {
        done(run_command({"python3", "-c", "import ast, sys; ast.parse(sys.stdin.read())"},
                         {root, recipe(package), {}, true}));
    }
}

TEST_CASE("The hosted checks run every system that README names, with both compilers") {
    const std::string checks = read_file(root / ".github/workflows/ci.yml");
    for (const std::string part : {"debian:12", "debian:13", "ubuntu:24.04", "gcc", "clang",
                                   "scripts/demo", "scripts/test", "scripts/package", ".ci/run"}) {
        INFO(part);
        CHECK(contains(checks, part));
    }
    const std::string readme = read_file(root / "README.md");
    check_has(readme, {"Debian 12 and 13", "Ubuntu 24.04"});
}

}  // namespace presets_test
