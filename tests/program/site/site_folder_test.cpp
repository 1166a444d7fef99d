#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <map>
#include <string>

#include "tests/paths.hpp"
#include "tests/program/site/site_fixture.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"

namespace site_folder_test {

using namespace program;

namespace fs = std::filesystem;

namespace {

using Files = std::map<std::string, std::string>;

/// Names beside the sites that a run should have removed.
int leftovers(const Workbench& bench) {
    int count = 0;
    for (const auto& file : fs::directory_iterator(bench.folder())) {
        count += file.path().filename().string().starts_with(".") ? 1 : 0;
    }
    return count;
}

/// A ledger whose site is not that of the sample pages.
void change_ledger(const Workbench& bench) {
    REQUIRE(bench.run({"forget", "develop~1"}).status == 0);
}

Surroundings with_fault(const Workbench& bench, const std::string& fault, int at) {
    Surroundings more;
    more.environment = site_fixture::environment(bench);
    more.environment["LD_PRELOAD"] = paths::faults;
    more.environment["ASAN_OPTIONS"] = "verify_asan_link_order=0:detect_leaks=0";
    more.environment["CACHELEDGER_FAULT"] = fault;
    more.environment["CACHELEDGER_FAULT_AT"] = std::to_string(at);
    more.environment["CACHELEDGER_FAULT_COUNT"] = bench.file("writes").string();
    return more;
}

}  // namespace

TEST_CASE("A folder that is not a site is refused, and stays as it is") {
    const SampleBench bench;
    const auto refuses = [&](const std::string& folder, const std::string& problem) {
        const Files before = site_fixture::files(bench, folder);
        check_run(site_fixture::make(bench, {folder}), {.status = 2, .err = {problem}});
        CHECK(site_fixture::files(bench, folder) == before);
        CHECK(leftovers(bench) == 0);
    };
    bench.write("papers/letter.txt", "Dear");
    refuses("papers", "a folder that is not a site");
    bench.write("web/index.html", "<html>");
    bench.write("web/data/about.js", "something else");
    refuses("web", "a folder that is not a site");
    bench.write("file", "text");
    refuses("file", "file: not a folder");
    CHECK(bench.read("file") == "text");

    CHECK(site_fixture::make(bench, {"out"}).status == 0);
    bench.write("out/CNAME", "example.com");
    refuses("out", "CNAME is not of a site");
    fs::remove(bench.file("out/CNAME"));
    fs::create_directory(bench.file("out/.git"));
    refuses("out", ".git is not of a site");
}

TEST_CASE("An empty folder, a link to one and an older site become the site") {
    const SampleBench bench;
    CHECK(site_fixture::make(bench, {"new"}).status == 0);
    const Files site = site_fixture::files(bench, "new");
    fs::create_directory(bench.file("empty"));
    fs::permissions(bench.file("empty"), fs::perms::owner_all);
    fs::create_directory_symlink("empty", bench.file("link"));
    CHECK(site_fixture::make(bench, {"link"}).status == 0);
    CHECK(fs::is_symlink(bench.file("link")));
    CHECK(site_fixture::files(bench, "empty") == site);
    CHECK(fs::status(bench.file("empty")).permissions() == fs::perms::owner_all);
    change_ledger(bench);
    CHECK(site_fixture::make(bench, {"empty"}).status == 0);
    CHECK(site_fixture::files(bench, "empty") != site);
    site_fixture::check(bench, "empty");
    CHECK(leftovers(bench) == 0);
}

TEST_CASE("Files that are the same in the next site stay the same files") {
    const SampleBench bench;
    REQUIRE(site_fixture::make(bench, {"out"}).status == 0);
    const Files before = site_fixture::files(bench, "out");
    const auto state = [&](const std::string& name) {
        struct stat status {};
        REQUIRE(stat(bench.file("out/" + name).c_str(), &status) == 0);
        return status;
    };
    std::map<std::string, ino_t> inodes;
    const timespec long_ago[] = {{1'000'000'000, 0}, {1'000'000'000, 0}};
    for (const auto& [name, text] : before) {
        REQUIRE(utimensat(AT_FDCWD, bench.file("out/" + name).c_str(), long_ago, 0) == 0);
        inodes[name] = state(name).st_ino;
    }
    change_ledger(bench);
    CHECK(site_fixture::make(bench, {"out"}).status == 0);
    site_fixture::check(bench, "out");
    int same = 0;
    int others = 0;
    for (const auto& [name, text] : site_fixture::files(bench, "out")) {
        if (text.empty()) {  // a folder
            continue;
        }
        INFO(name);
        const auto older = before.find(name);
        const bool is_same = older != before.end() && older->second == text;
        CHECK(state(name).st_nlink == 1);
        CHECK((state(name).st_ino == inodes[name]) == is_same);
        CHECK((state(name).st_mtim.tv_sec == long_ago[0].tv_sec) == is_same);
        (is_same ? same : others) += 1;
    }
    CHECK(same > 10);
    CHECK(others > 5);
}

TEST_CASE("A site of a former version is replaced, one with a strange file is not") {
    const SampleBench bench;
    REQUIRE(site_fixture::make(bench, {"out"}).status == 0);
    const Files site = site_fixture::files(bench, "out");
    const std::string about = site_fixture::data_file(bench, "out", "about");
    fs::rename(bench.file("out/" + about), bench.file("out/data/about.js"));
    bench.write("out/data/results.overview.js", "(globalThis.CACHELEDGER?\?={})[]");
    bench.write("out/data/ledger/0/0.js", "(globalThis.CACHELEDGER?\?={})[\"ledger/0/0\"]=\"\";\n");
    bench.write("out/data/ledger.0.js", "(globalThis.CACHELEDGER?\?={})[\"ledger.0\"]=\"\";\n");
    CHECK(site_fixture::make(bench, {"out"}).status == 0);
    CHECK(site_fixture::files(bench, "out") == site);
    bench.write("out/data/ledger/0/notes.js", "mine");
    CHECK(contains(site_fixture::make(bench, {"out"}).err,
                   "data/ledger/0/notes.js is not of a site"));
}

TEST_CASE("A site keeps the owner, the group and the permissions of the one before") {
    if (geteuid() != 0) {
        WARN("only root can give folders away");
        return;
    }
    constexpr uid_t owner = 1001;
    constexpr gid_t group = 2000;
    const SampleBench bench;
    REQUIRE(site_fixture::make(bench, {"out"}).status == 0);
    for (const char* const name : {"out", "out/data"}) {
        REQUIRE(chown(bench.file(name).c_str(), owner, group) == 0);
        REQUIRE(chmod(bench.file(name).c_str(), 0750) == 0);
    }
    bench.write(".out.cacheledger.toml/mine", "of a user");
    CHECK(site_fixture::make(bench, {"out"}).status == 0);
    for (const char* const name : {"out", "out/data"}) {
        struct stat status {};
        REQUIRE(stat(bench.file(name).c_str(), &status) == 0);
        CHECK(status.st_uid == owner);
        CHECK(status.st_gid == group);
        CHECK((status.st_mode & 07777U) == 0750);
    }
    CHECK(bench.has(".out.cacheledger.toml/mine"));
}

TEST_CASE("A run that is killed or has no space leaves the older site whole") {
    const SampleBench bench;
    REQUIRE(site_fixture::make(bench, {"out"}).status == 0);
    const Files before = site_fixture::files(bench, "out");
    change_ledger(bench);
    const auto run = [&](const std::string& folder, const std::string& fault, int at) {
        return bench.start({"site", folder}, with_fault(bench, fault, at))->wait();
    };
    REQUIRE(run("after", "", 0).status == 0);
    const Files after = site_fixture::files(bench, "after");
    const int writes = std::stoi(bench.read("writes"));
    REQUIRE(before != after);
    for (const std::string fault : {"kill", "full"}) {
        // The last ones are those that put the site in its place.
        for (const int at : {1, writes / 4, writes / 2, writes - 30, writes - 20, writes - 12}) {
            const Run done = run("out", fault, at);
            INFO(fault << " at " << at << " of " << writes << "\n" << done);
            const Files left = site_fixture::files(bench, "out");
            CHECK((left == before || left == after));
            if (fault == "full" && left == before) {
                CHECK(done.status == 2);
                CHECK(done.errors().size() == 1);
                CHECK(leftovers(bench) == 0);
            }
            CHECK(site_fixture::make(bench, {"out"}).status == 0);
            CHECK(site_fixture::files(bench, "out") == after);
            CHECK(leftovers(bench) == 0);
            fs::remove_all(bench.file("out"));
            fs::create_directories(bench.file("out/data"));
            for (const auto& [name, text] : before) {
                if (!text.empty()) {  // no folder
                    bench.write("out/" + name, text);
                }
            }
        }
    }
}

TEST_CASE("An interrupted run leaves the older site, and removes its own files") {
    const SampleBench bench;
    REQUIRE(site_fixture::make(bench, {"out"}).status == 0);
    const Files before = site_fixture::files(bench, "out");
    change_ledger(bench);
    const auto running = bench.start({"site", "out"}, with_fault(bench, "stop", 40));
    REQUIRE(running->waits_stopped());
    running->signal(SIGINT);
    running->signal(SIGCONT);
    check_run(running->wait(),
              {.status = 128 + SIGINT, .err = {"interrupted; the folder is as it was"}});
    CHECK(site_fixture::files(bench, "out") == before);
    CHECK(leftovers(bench) == 0);
}

TEST_CASE("The draft of a run at work is no leftover") {
    const SampleBench bench;
    site_fixture::write_bundle(bench);
    const auto running = bench.start({"site", "out"}, with_fault(bench, "stop", 40));
    REQUIRE(running->waits_stopped());
    CHECK(site_fixture::make(bench, {"out"}).status == 0);
    CHECK(leftovers(bench) == 1);
    const Files made = site_fixture::files(bench, "out");
    running->signal(SIGCONT);
    CHECK(running->wait().status == 0);
    CHECK(site_fixture::files(bench, "out") == made);
    CHECK(leftovers(bench) == 0);
}

TEST_CASE("A site is written where the file system has no locks") {
    const SampleBench bench;
    REQUIRE(site_fixture::make(bench, {"out"}).status == 0);
    const Files before = site_fixture::files(bench, "out");
    change_ledger(bench);
    done(bench.start({"site", "out"}, with_fault(bench, "no-locks", 0))->wait());
    CHECK(site_fixture::files(bench, "out") != before);
    CHECK(leftovers(bench) == 0);
}

}  // namespace site_folder_test
