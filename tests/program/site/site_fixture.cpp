#include "tests/program/site/site_fixture.hpp"
#include "tests/paths.hpp"

#include "tests/support/catch.hpp"

namespace site_fixture {

namespace fs = std::filesystem;

void write_bundle(const program::Workbench& bench) {
    for (const std::string file :
         {"index.html", "theme.js", "app.js", "app.css", "licences.txt", "data/sqlite.js"}) {
        bench.write("bundle/" + file, file + "\n");
    }
}

std::map<std::string, std::string> environment(const program::Workbench& bench) {
    return {{"CACHELEDGER_SITE_BUNDLE", bench.file("bundle").string()}};
}

program::Run make(const program::Workbench& bench, const program::Words& words) {
    write_bundle(bench);
    program::Words command = {"site"};
    command.insert(command.end(), words.begin(), words.end());
    return bench.run(command, "", environment(bench));
}

void check(const program::Workbench& bench, const std::string& folder, bool is_whole) {
    program::Words command = {
        "python3", std::string(paths::source) + "/tests/program/site/read_site.py",
        bench.file(folder).string(), paths::program, bench.file("cacheledger.db").string()};
    if (is_whole) {
        command.emplace_back("whole");
    }
    const program::Run read = program::run_command(command);
    INFO(read);
    CHECK(read.status == 0);
}

std::string data_file(const program::Workbench& bench, const std::string& folder,
                      const std::string& key) {
    for (const auto& [name, content] : files(bench, folder)) {
        if (name.starts_with("data/" + key + ".") && name.ends_with(".js")) {
            return name;
        }
    }
    FAIL("no file of " << key << " in " << folder);
    return {};
}

std::map<std::string, std::string> files(const program::Workbench& bench,
                                         const std::string& folder) {
    std::map<std::string, std::string> found;
    if (fs::is_directory(bench.file(folder))) {
        for (const auto& file : fs::recursive_directory_iterator(bench.file(folder))) {
            const std::string name =
                file.path().lexically_relative(bench.file(folder)).generic_string();
            found[name] = file.is_regular_file() ? program::read_file(file.path()) : "";
        }
    }
    return found;
}

}  // namespace site_fixture
