#include <algorithm>
#include <filesystem>
#include <string>

#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"

namespace spack_extension_test {

// spack ledger: packaging/spack-extension, without Spack. scripts/against-spack runs it with Spack.
using namespace program;

namespace fs = std::filesystem;

namespace {

const fs::path root = paths::source;
const fs::path command_file = root / "packaging/spack-extension/spack-ledger/ledger/cmd/ledger.py";

struct Extension {
    Workbench bench;
    std::string program = paths::program;      // empty: not named
    std::string file = command_file.string();  // of the command

    explicit Extension(const std::string& mirrors) { bench.write("spack/mirrors.json", mirrors); }

    /// From now on, the program says how it was called: a line for each argument, and what it got.
    void record_calls() {
        bench.write("calls",
                    "#!/bin/sh\necho \"db $CACHELEDGER_DB color $NO_COLOR\"\n"
                    "printf '%s\\n' \"$@\"\n"
                    "[ \"$2\" != - ] || cat\n"
                    "[ -z \"$DOCKER_CONFIG\" ] || cat \"$DOCKER_CONFIG/config.json\"\n"
                    "exit 7\n");
        program = bench.file("calls").string();
        fs::permissions(program, fs::perms::owner_all);
    }

    Run run(const Words& arguments) const {
        Words command = {"python3", (root / "tests/project/spack_stand_in.py").string(),
                         bench.file("spack").string()};
        command.insert(command.end(), arguments.begin(), arguments.end());
        return run_command(
            command, {bench.folder(), "", {{"CACHELEDGER", program}, {"LEDGER_COMMAND", file}}});
    }

    /// The arguments of each call, as one text.
    std::string called(const Words& arguments) const {
        const Run result = run(arguments);
        CHECK(result.status == 7);
        std::string text;
        for (const std::string& line : lines_of(result.out)) {
            if (line.starts_with("db ")) {
                CHECK(line == "db " + bench.file("spack/ledger.db").string() + " color 1");
                text += text.empty() ? "" : " | ";
            } else {
                text += (text.empty() || text.ends_with(" | ") ? "" : " ") + line;
            }
        }
        return text;
    }
};

const std::string two_mirrors =
    R"({"far": {"url": "https://far/m", "view": "gpu"}, "sources": {"url": "/s", "binary": false},
        "reg": {"url": "oci+http://h:5/a", "pair": ["me", "secret"]}})";

}  // namespace

TEST_CASE("spack ledger calls the program with what Spack knows") {
    Extension spack(two_mirrors);
    spack.record_calls();
    CHECK(spack.called({"snapshot", "--if-changed"}) ==
          "ingest https://far/m --tag=far --view=gpu --if-changed | "
          "ingest oci+http://h:5/a --tag=reg --if-changed "
          R"({"auths": {"h:5": {"auth": "bWU6c2VjcmV0"}}})");
    CHECK(spack.called({"snapshot", "far"}) == "ingest https://far/m --tag=far --view=gpu");
    CHECK(spack.called({"coverage", "hdf5", "+mpi", "zlib", "--format", "json"}) ==
          "coverage - --format json --at=far --at=reg hdf5 +mpi zlib");
    CHECK(spack.called({"coverage", "hdf5", "--at=far~1"}) == "coverage - --at=far~1 hdf5");
    CHECK(spack.called({"coverage", "--stack", "gpu", "--at", "far"}) ==
          "coverage --stack gpu --at far");
    CHECK(spack.called({"coverage", "--stack=gpu"}) == "coverage --stack=gpu --at=far --at=reg");
    CHECK(spack.called({"specs", "far", "reg", "--limit", "3"}) == "specs far --at=reg --limit 3");
    CHECK(spack.called({"why", "/abc", "/def"}) == "why /abc /def");
    CHECK(spack.called({"diff", "far", "reg"}) == "diff far reg");
    CHECK(spack.called({"--db", "other.db", "snapshots"}) == "--db other.db snapshots");

    const std::string yaml = spack.bench.file("spack/env/spack.yaml").string();
    const std::string lock = spack.bench.file("spack/env/spack.lock").string();
    spack.bench.write("spack/env/spack.yaml", "spack: {specs: [zlib]}\n");
    CHECK(spack.called({"coverage"}) == "coverage " + yaml + " --at=far --at=reg");
    spack.bench.write("spack/env/spack.lock", "{}");
    CHECK(spack.called({"coverage", "--fail-under", "95"}) ==
          "coverage " + lock + " --fail-under 95 --at=far --at=reg");
    CHECK(spack.called({"coverage", lock}) == "coverage " + lock + " --at=far --at=reg");
}

TEST_CASE("spack ledger says what is not there") {
    Extension spack(two_mirrors);
    CHECK(contains(spack.run({"snapshot", "near"}).err,
                   "==> Error: no binary mirror is called near; there are: far, reg\n"));
    CHECK(contains(spack.run({"coverage"}).err, "expected SPECs or an active environment"));
    check_run(spack.run({}), {.out = {"snapshot [MIRROR...]"}});
    spack.program = "/nowhere/cacheledger";
    for (const Words& arguments : {Words{}, Words{"diff"}}) {
        check_run(
            spack.run(arguments),
            {.status = 1, .err = {"spack repo add packaging/spack && spack install cacheledger"}});
    }
    for (const Words& arguments : {Words{"snapshot"}, Words{"coverage", "zlib"}}) {
        CHECK(contains(Extension("{}").run(arguments).err, "no binary mirror is configured"));
    }
}

TEST_CASE("spack ledger asks about an environment and the mirrors") {
    const fs::path mirrors = fs::path(paths::data) / "mirrors";
    Extension spack(R"({"site": {"url": ")" + (mirrors / "later").string() + R"("}})");
    const Run loaded = done(spack.run({"snapshot"}));
    spack.bench.write("spack/env/spack.lock", read_file(mirrors / "spack.lock"));
    const Run coverage = spack.run({"coverage", "--format", "csv"});
    const std::string db = spack.bench.file("spack/ledger.db").string();
    CHECK(coverage.status == 0);
    CHECK(coverage.out == spack.bench
                              .run({"--db", db, "coverage", (mirrors / "spack.lock").string(),
                                    "--at", "site", "--format", "csv"})
                              .out);
    CHECK(contains(coverage.out, "hdf5,"));
    CHECK(
        contains(spack.run({"specs", "zlib-ng", "site"}).out, "1 build matches zlib-ng at site@"));
    CHECK(spack.run({"coverage", "zlib-ng@99", "--fail-under", "50"}).status == 1);
    CHECK(spack.run({"specs", "nothing"}).status == 2);
    CHECK(spack.run({"snapshot", "--if-changed"}).status == 0);
    CHECK(lines_of(spack.run({"snapshots", "--format", "csv"}).out).size() == 2);
}

TEST_CASE("spack ledger calls the program that is installed with it") {
    Extension spack(two_mirrors);
    spack.record_calls();
    const std::string place = "usr/share/cacheledger/spack-ledger/ledger/cmd/ledger.py";
    spack.bench.write(place, read_file(command_file));
    spack.bench.write("usr/bin/cacheledger", spack.bench.read("calls"));
    fs::permissions(spack.bench.file("usr/bin/cacheledger"), fs::perms::owner_all);
    spack.file = spack.bench.file(place).string();
    spack.program = "";
    CHECK(spack.called({"diff"}) == "diff");
}

TEST_CASE("The extension of Spack is small") {
    const auto lines = lines_of(read_file(command_file));
    CHECK(lines.size() <= 300);
    CHECK(std::ranges::all_of(lines, [](const std::string& line) { return line.size() <= 132; }));
}

}  // namespace spack_extension_test
