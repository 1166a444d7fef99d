#include "tests/support/program/newcomer.hpp"
#include "tests/paths.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tests/program/site/site_fixture.hpp"
#include "tests/support/repositories/git_fixture.hpp"

namespace program {

namespace {

using nlohmann::json;

constexpr std::int64_t january = 1735689600;  // 2025-01-01T00:00:00Z
constexpr std::int64_t april = 1743465600;    // 2025-04-01T00:00:00Z

std::string hash_of(std::string stem) {
    stem.resize(32, 'a');
    return stem;
}

/// A page with one build, `number` tells builds of a package apart.
std::string page_of(const std::string& package, const std::string& version, char number,
                    const std::string& tag) {
    Entry one = entry();
    one["hash"] =
        json_text(hash_of((package == "hdf5" ? "abc2345" : package.substr(package.size() - 4)) +
                          std::string(1, number)));
    one["versions"] = "[" + json_text(version) + "]";
    one["variants"] = R"(["+mpi", "~ipo"])";
    one["stacks"] = R"(["e4s", "root"])";
    return page(package, details({one}), tag);
}

/// The pages of one moment: `number` tells the builds of moments apart.
void write_pages(const Workbench& bench, const std::string& folder, char number,
                 const std::string& tag) {
    bench.write(folder + "/hdf5.md", page_of("hdf5", "1.14.3", number, tag));
    bench.write(folder + "/kokkos.md", page_of("kokkos", "4.4.01", 'a', tag));
    bench.write(folder + "/numpy.md", page_of("py-numpy", "1.26.4", 'a', tag));
    bench.write(folder + "/zlib.md", page_of("zlib", number == 'b' ? "1.3" : "1.3.1", number, tag));
}

json node(const std::string& package, const std::string& dependency) {
    json node = {
        {"name", package},
        {"version", "1.3"},
        {"arch", {{"platform", "linux"}, {"platform_os", "ubuntu24.04"}, {"target", "x86_64_v3"}}},
        {"compiler", {{"name", "gcc"}, {"version", "13.2.0"}}},
        {"namespace", "builtin"},
        {"parameters", {{"mpi", true}}},
        {"hash", hash_of(package)}};
    if (!dependency.empty()) {
        node["dependencies"] = json::array(
            {{{"name", dependency},
              {"hash", hash_of(dependency)},
              {"parameters", {{"deptypes", {"build", "link"}}, {"virtuals", json::array()}}}}});
    }
    return node;
}

std::string lock_text() {
    json lock = {{"_meta", {{"file-type", "spack-lockfile"}, {"lockfile-version", 5}}},
                 {"roots", json::array({{{"hash", hash_of("hdf5")}, {"spec", "hdf5"}}})}};
    for (const json& one : {node("hdf5", "zlib"), node("zlib", "")}) {
        lock["concrete_specs"][one["hash"].get<std::string>()] = one;
    }
    return lock.dump();
}

std::string index_text() {
    json index = {{"database", {{"version", "7"}}}};
    for (const json& one : {node("hdf5", "zlib"), node("zlib", "")}) {
        index["database"]["installs"][one["hash"].get<std::string>()] = {
            {"spec", one}, {"ref_count", 0}, {"in_buildcache", true}};
    }
    return index.dump();
}

void ingest(const Workbench& bench, Words words) {
    words.insert(words.begin(), "ingest");
    const Run run = bench.run(words);
    if (run.status != 0) {
        throw std::runtime_error(run.err);
    }
}

}  // namespace

void make_newcomer(const Workbench& bench) {
    write_pages(bench, "first", 'b', "develop");
    write_pages(bench, "pages", 'c', "develop");
    write_pages(bench, "sunday", 'd', "develop-2025-03-23");
    write_pages(bench, "week", 'e', "develop-2025-03-30");
    ingest(bench, {"first", "--taken-at", "2025-02-01"});
    ingest(bench, {"pages", "--taken-at", "2025-03-01"});
    ingest(bench, {"sunday", "week"});
    bench.write("spack.lock", lock_text());
    bench.write("old.lock", lock_text());
    bench.write("climate/spack.lock", lock_text());
    bench.write("mirror/build_cache/index.json", index_text());
    site_fixture::write_bundle(bench);
    git_fixture::Repository repository(bench.file("cache.spack.io.git"));
    repository.write("zlib.md", page_of("zlib", "1.3.1", 'f', "v1.0"));
    repository.commit(april);
    git_fixture::Repository packages(bench.file("spack-packages.git"));
    packages.write("stacks/e4s/spack.yaml", "spack:\n  specs: [hdf5, julia]\n");
    packages.write("repos/spack_repo/builtin/packages/zlib/package.py", "recipe");
    packages.commit(january);
    ingest(bench, {"spack-packages.git"});
}

std::string program_folder() {
    return std::filesystem::path(paths::program).parent_path().string();
}

Run type(const Workbench& bench, const std::string& line) {
    return run_command({"/bin/sh", "-c", "PATH=\"$0:$PATH\"\n" + line, program_folder()},
                       {bench.folder(), "", site_fixture::environment(bench), false});
}

}  // namespace program
