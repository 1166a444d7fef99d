#include <string>

#include "tests/paths.hpp"
#include "tests/program/site/site_fixture.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"

namespace site_command_test {

using namespace program;

namespace fs = std::filesystem;

namespace {

std::string read_about(const Workbench& bench, const std::string& folder) {
    return bench.read(folder + "/" + site_fixture::data_file(bench, folder, "about"));
}

}  // namespace

TEST_CASE("A site has the results of the program, and the rows of its ledger") {
    const SampleBench bench;
    check_run(site_fixture::make(bench, {"out", "--title", "Stacks of <b>"}),
              {.all_out = "wrote out/index.html\n", .all_err = ""});
    site_fixture::check(bench, "out");
    CHECK(bench.read("out/index.html") == "index.html\n");
    const std::string about = read_about(bench, "out");
    check_has(about, {R"("title":"Stacks of \u003cb>","at":"develop@2025-03-10T00:00:00Z",)"
                      R"("from":"develop@2025-02-10T00:00:00Z",)"
                      R"("to":"develop@2025-03-10T00:00:00Z","lock":null,"mirror":null,)",
                      R"({"report":"coverage/summary","arguments":)"
                      R"({"at":"develop@2025-02-10T00:00:00Z","package":"*"},)"});
}

TEST_CASE("The front page has the main numbers without JavaScript") {
    const SampleBench bench;
    site_fixture::write_bundle(bench);
    bench.write("bundle/index.html",
                "<!-- head --><title>old</title><!-- /head -->\n"
                "<noscript><!-- text -->old<!-- /text --></noscript>\n"
                "<!-- data -->old<!-- /data -->\n");
    const auto front_page = [&](const Words& more) {
        Words command = {"site", "out", "--title", R"(Stacks of "<b>")"};
        command.insert(command.end(), more.begin(), more.end());
        done(bench.run(command, "", site_fixture::environment(bench)));
        return bench.read("out/index.html");
    };
    const std::string page = front_page({});
    INFO(page);
    check_has(page, {R"(<title>Stacks of "&lt;b&gt;"</title>)",
                     R"(content="Stacks of &quot;&lt;b&gt;&quot;: 339 builds of 4 packages )"
                     R"(in develop@2025-03-10T00:00:00Z">)",
                     "<dt>Packages</dt><dd>4 (+3)</dd>\n<dt>Builds</dt><dd>339 (+288)</dd>\n",
                     "change since <code>develop@2025-02-10T00:00:00Z</code>"});
    CHECK_FALSE(contains(page, "old"));
    for (const std::string key : {"about", "results.overview", "reports"}) {
        CHECK(
            contains(page, "<script src=\"" + site_fixture::data_file(bench, "out", key) + "\">"));
    }
    // The first snapshot has none before it.
    CHECK(contains(front_page({"--at", "develop~1"}),
                   "<dt>Packages</dt><dd>1</dd>\n<dt>Builds</dt><dd>51</dd>\n"));
    CHECK(bench.run({"forget", "develop~1"}).status == 0);
    CHECK(bench.run({"forget", "latest"}).status == 0);
    CHECK(contains(front_page({}), "<p>The ledger has no snapshot of a cache.</p>"));
}

TEST_CASE("The same ledger gives the same site") {
    const SampleBench bench;
    CHECK(site_fixture::make(bench, {"one"}).status == 0);
    CHECK(site_fixture::make(bench, {"two"}).status == 0);
    CHECK(site_fixture::make(bench, {"two/"}).status == 0);  // replaced by itself
    const auto one = site_fixture::files(bench, "one");
    CHECK(one.size() > 10);
    CHECK(one == site_fixture::files(bench, "two"));
    // What happened to the file is not what is in it.
    CHECK(bench.run({"ingest", "tests/data/pages/later", "--taken-at", "2025-03-11"}).status == 0);
    CHECK(bench.run({"forget", "develop@2025-03-11"}).status == 0);
    CHECK(site_fixture::make(bench, {"three"}).status == 0);
    CHECK(one == site_fixture::files(bench, "three"));
}

TEST_CASE("A site of the last snapshots is that of a ledger without the others") {
    const SampleBench bench;
    CHECK(site_fixture::make(bench, {"last", "--last", "1"}).status == 0);
    site_fixture::check(bench, "last", false);
    CHECK(bench.snapshots() == 2);
    CHECK(bench.run({"forget", "develop~1"}).status == 0);
    CHECK(site_fixture::make(bench, {"forgotten"}).status == 0);
    site_fixture::check(bench, "forgotten");
    const auto without_feed = [&](const std::string& folder) {
        auto files = site_fixture::files(bench, folder);
        CHECK(files.erase("feed.xml") + files.erase("feed.xml.gz") == 2);
        return files;
    };
    CHECK(without_feed("last") == without_feed("forgotten"));
    CHECK(contains(bench.read("last/feed.xml"), "develop@2025-03-10T00:00:00Z: "));
    CHECK_FALSE(contains(bench.read("last/feed.xml"), "the first snapshot"));
    CHECK(contains(bench.read("forgotten/feed.xml"), "the first snapshot"));
    CHECK(contains(read_about(bench, "last"), R"("from":null,"to":null)"));
}

TEST_CASE("A site shows the snapshots that it is asked for") {
    const SampleBench bench;
    CHECK(site_fixture::make(bench,
                             {"out", "--at", "develop~1", "--from", "develop", "--to", "develop~1"})
              .status == 0);
    site_fixture::check(bench, "out");
    CHECK(contains(read_about(bench, "out"),
                   R"("at":"develop@2025-02-10T00:00:00Z","from":"develop@2025-03-10T00:00:00Z",)"
                   R"("to":"develop@2025-02-10T00:00:00Z")"));
    CHECK(site_fixture::make(bench, {"out", "--at", "develop~1"}).status ==
          0);  // the first: no pair
    CHECK(contains(read_about(bench, "out"), R"("from":null,"to":null)"));
}

TEST_CASE("A site of a lock file has no snapshot to show first") {
    const Workbench bench;
    const std::string locks = std::string(paths::data) + "/pages/later";
    CHECK(bench.run({"ingest", locks, "--taken-at", "2025-03-10"}).status == 0);
    CHECK(bench.run({"forget", "latest"}).status == 0);
    CHECK(site_fixture::make(bench, {"out"}).status == 0);
    site_fixture::check(bench, "out");
    CHECK(contains(read_about(bench, "out"), R"("at":null,"from":null,"to":null)"));
}

TEST_CASE("A wrong word about a site is refused, and nothing is written") {
    const SampleBench bench;
    const auto refuses = [&](const Words& words, const std::string& problem) {
        const Run made = done(site_fixture::make(bench, words), 2);
        CHECK(contains(made.err, problem));
        CHECK(made.errors().size() == 1);
        CHECK_FALSE(bench.has("out"));
    };
    refuses({}, "expected a folder");
    refuses({"out", "--last", "0"}, "--last '0': expected a number of snapshots, 1 or more");
    refuses({"out", "--at", "deveop"}, "did you mean");
    refuses({"out", "--last", "1", "--from", "develop~1"}, "develop~1");
    for (const char* const url : {"https://x.example/$(id)", "https://user:pass@x.example/",
                                  "s3://a b", "https://x.example/{name}", "--cache"}) {
        refuses({"out", std::string("--mirror=") + url}, "expected a URL without a user");
    }
    refuses({"nowhere/out"}, "nowhere/out: can't be written: No such file or directory");
    refuses({"."}, "the folder of a site is replaced as a whole");
    CHECK(
        bench.run({"site", "out"}, "", {{"CACHELEDGER_SITE_BUNDLE", "nowhere"}}).err ==
        "cacheledger: the pages of a site are not built, because npm was missing (expected in "
        "nowhere); 'scripts/install-packages site' installs it, then configure and build again\n");
}

TEST_CASE("A program without the pages of a site knows whether it was installed") {
    const SampleBench bench;
    bench.write("build/bin/CMakeCache.txt", "");
    fs::create_directories(bench.file("opt/tools"));
    const auto advice = [&](const fs::path& program) {
        fs::copy_file(paths::program, bench.file(program));
        return run_command({bench.file(program).string(), "--db",
                            bench.file("cacheledger.db").string(), "site",
                            bench.file("out").string()})
            .err;
    };
    CHECK(contains(advice("build/bin/cacheledger"), "build/bin/site-bundle); 'scripts/install"));
    CHECK(contains(advice("opt/tools/cacheledger"),
                   "opt/share/cacheledger/site); install a cacheledger that was built"));
}

TEST_CASE("A site has the URL of the mirror that it is given") {
    const SampleBench bench;
    CHECK(site_fixture::make(bench, {"out", "--mirror", "https://mirror.example/{tag}/{stack}"})
              .status == 0);
    site_fixture::check(bench, "out");
    CHECK(
        contains(read_about(bench, "out"), R"("mirror":"https://mirror.example/{tag}/{stack}",)"));
}

TEST_CASE("A site takes the reports of a folder") {
    const SampleBench bench;
    bench.write("own/mine.sql", "-- title: Mine </script>\nSELECT 1 AS one;\n");
    CHECK(site_fixture::make(bench, {"out", "--reports", "own"}).status == 0);
    site_fixture::check(bench, "out");
    const Run read = run_command(
        {"python3", "-c",
         "import base64, gzip, sys; "
         "print(gzip.decompress(base64.b64decode(open(sys.argv[1]"
         ").read().split('\"')[3])).decode())",
         bench.file("out/" + site_fixture::data_file(bench, "out", "reports")).string()});
    CHECK(contains(read.out, R"({"name":"mine","title":"Mine \u003c/script>",)"));
}

}  // namespace site_command_test
