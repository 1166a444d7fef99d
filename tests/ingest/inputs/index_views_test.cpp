#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "ingest/rows/earlier/earlier.hpp"
#include "ingest/runs/files/graph_source.hpp"
#include "ingest/sources/inputs/inputs.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/check/check.hpp"
#include "schema/ledger/names/moment.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_text.hpp"
#include "tests/support/ledgers/http_server.hpp"
#include "tests/support/ledgers/index_texts.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace index_views_test {

// The main index of a mirror and its named views.
using namespace cacheledger;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

/// The build that a letter stands for.
const std::map<char, std::string> packages = {{'h', "hdf5"}, {'m', "mpich"}, {'z', "zlib"}};

std::string hash_of_build(char letter) {
    return hash_of(std::string(1, letter));
}

/// A mirror of layout 3.
class Mirror {
  public:
    std::string path(const std::string& below = "") const {
        return (folder_.path() / "m").string() + (below.empty() ? "" : "/" + below);
    }

    static std::string manifest_of(const std::string& view) {
        return fmt::format("v3/manifests/index/{}{}index.manifest.json", view,
                           view.empty() ? "" : "/");
    }

    /// Makes a view, or the main index, which is called "", list these builds.
    void list(const std::string& view, const std::string& builds) const {
        std::vector<graph_text::Keyed> nodes;
        for (const char letter : builds) {
            const std::string hash = hash_of_build(letter);
            nodes.emplace_back(
                hash, graph_text::NodeText{.hash = hash, .package = packages.at(letter)}.text(5));
        }
        const std::string index = graph_text::index("8", nodes);
        write(texts::blob_path(index), index);
        write(manifest_of(view), texts::index_manifest(texts::entry(index)));
    }

    /// Gives a build its spec manifest.
    void add(char letter) const {
        const std::string& package = packages.at(letter);
        write(
            fmt::format("v3/manifests/spec/{0}/{0}-1.3-{1}.spec.manifest.json", package,
                        hash_of_build(letter)),
            R"({"data": [{"contentLength": 7, "mediaType": "application/vnd.spack.install.x"}]})");
    }

    void write(const std::string& below, const std::string& text) const {
        folder_.write("m/" + below, text);
    }

    void remove(const std::string& view) const { fs::remove(path(manifest_of(view))); }

    /// A web server that has these files.
    http_fixture::Server server() const {
        return http_fixture::Server(
            [this](const http_fixture::Request& request, http_fixture::Connection& connection) {
                const std::string path = folder_.path().string() + request.path;
                const bool is_there = fs::is_regular_file(path);
                std::ifstream file(is_there ? path : "/dev/null", std::ios::binary);
                const std::string text{std::istreambuf_iterator<char>(file), {}};
                connection.send(http_fixture::answer(is_there ? 200 : 404, text));
            });
    }

    HttpOptions http() const {
        HttpOptions options;
        options.folder = folder_.path() / "cache";
        options.first_wait = std::chrono::milliseconds(1);
        return options;
    }

  private:
    TempFolder folder_;
};

/// A mirror with a main index and two views.
struct UsualMirror : Mirror {
    UsualMirror() {
        list("", "hmz");
        list("e4s", "hz");
        list("ml", "z");
    }
};

struct Loaded {
    IngestResult result;
    std::string problem;
};

Loaded load(TempLedger& ledger, InputOptions inputs, const std::string& day,
            IngestOptions options = {.if_changed = true}) {
    options.taken_at = parse_moment(day).value();
    try {
        Loaded loaded{ingest(ledger.database(), *open_graphs(find_inputs(inputs), "site", "x"),
                             options, [](std::size_t, std::size_t) {}),
                      ""};
        CHECK(find_problems(ledger.database(), 10) == Lines{});
        return loaded;
    } catch (const InputError& error) {
        return {{}, error.what()};
    }
}

/// "hdf5|e4s,root": what the newest snapshot has.
Lines stacks(TempLedger& ledger) {
    return ledger.rows("SELECT package, stacks FROM latest_specs ORDER BY 1");
}

Lines findings(TempLedger& ledger) {
    return ledger.rows(
        "SELECT kind, detail FROM findings WHERE snapshot = (SELECT max(name) FROM snapshots) "
        "ORDER BY kind DESC, detail");
}

const Lines usual = {"hdf5|e4s,root", "mpich|root", "zlib|e4s,ml,root"};

}  // namespace

TEST_CASE("The views of a mirror are stacks of their builds") {
    const UsualMirror mirror;
    mirror.list("empty", "");
    mirror.list("ci/deep", "h");
    TempLedger ledger;
    CHECK(load(ledger, {{mirror.path()}}, "2025-03-01").result.pages == 5);
    CHECK(stacks(ledger) == Lines{"hdf5|ci/deep,e4s,root", "mpich|root", "zlib|e4s,ml,root"});
    CHECK(findings(ledger) == Lines{});
    CHECK(stacks_before(ledger.database(), "site") == Lines{"ci/deep", "e4s", "empty", "ml"});
    // Who names one index has that.
    TempLedger one;
    load(one, {{mirror.path(Mirror::manifest_of(""))}}, "2025-03-01");
    CHECK(stacks(one) == Lines{"hdf5|root", "mpich|root", "zlib|root"});
    load(one, {{mirror.path("v3/manifests/index/ml")}}, "2025-03-02");
    CHECK(stacks(one) == Lines{"zlib|root"});
    load(one, {{"mine=" + mirror.path()}}, "2025-03-03");
    CHECK(stacks(one) == Lines{"hdf5|mine", "mpich|mine", "zlib|mine"});
}

TEST_CASE("Two mirrors are one snapshot, their views of one name are one stack") {
    const UsualMirror one;
    const Mirror two;
    two.list("", "m");
    two.list("ml", "m");
    TempLedger ledger;
    load(ledger, {{one.path(), two.path()}}, "2025-03-01");
    CHECK(stacks(ledger) == Lines{"hdf5|e4s,root", "mpich|ml,root", "zlib|e4s,ml,root"});
}

TEST_CASE("A view moves builds to a stack and out of it") {
    const UsualMirror mirror;
    TempLedger ledger;
    load(ledger, {{mirror.path()}}, "2025-03-01");
    mirror.list("ml", "m");
    load(ledger, {{mirror.path()}}, "2025-03-02");
    mirror.remove("ml");
    load(ledger, {{mirror.path()}}, "2025-03-03");
    CHECK(ledger.rows("SELECT substr(taken_at, 1, 10), package, change FROM changes "
                      "WHERE taken_at > '2025-03-02' ORDER BY 1, 2") ==
          Lines{"2025-03-02|mpich|stacks", "2025-03-02|zlib|stacks", "2025-03-03|mpich|stacks"});
    CHECK(stacks(ledger) == Lines{"hdf5|e4s,root", "mpich|root", "zlib|e4s,root"});
}

TEST_CASE("With --if-changed the main index and all views count") {
    for (const bool has_files : {false, true}) {
        INFO(has_files);
        const UsualMirror mirror;
        for (const char letter : std::string(has_files ? "hmz" : "")) {
            mirror.add(letter);
        }
        TempLedger ledger;
        int day = 1;
        const auto is_loaded = [&] {
            return load(ledger, {{mirror.path()}}, fmt::format("2025-03-{:02}", day++))
                       .result.loaded.size() == 1;
        };
        CHECK(is_loaded());
        CHECK_FALSE(is_loaded());
        mirror.list("ml", "hz");
        CHECK(is_loaded());
        mirror.list("", "hz");
        CHECK(is_loaded());
        CHECK_FALSE(is_loaded());
        mirror.list("new", "");
        mirror.remove("e4s");
        CHECK(is_loaded());
    }
}

TEST_CASE("What a view lists and the main index does not is there, and a finding") {
    const Mirror mirror;
    mirror.list("", "z");
    mirror.list("e4s", "hmz");
    mirror.list("ml", "mz");
    TempLedger ledger;
    const auto loaded = load(ledger, {{mirror.path()}}, "2025-03-01").result;
    REQUIRE(loaded.notes.size() == 2);
    CHECK(loaded.notes[0] ==
          mirror.path(Mirror::manifest_of("e4s")) +
              ": 2 builds of the view e4s are not in the main index; 'spack buildcache "
              "update-index' makes the index anew");
    CHECK(stacks(ledger) == Lines{"hdf5|e4s", "mpich|e4s,ml", "zlib|e4s,ml,root"});
    CHECK(findings(ledger) ==
          Lines{"index-stale|1 build of the view ml is not in the main index",
                "index-stale|2 builds of the view e4s are not in the main index",
                "binary-unlisted|hdf5@1.3/" + hash_of_build('h'),
                "binary-unlisted|mpich@1.3/" + hash_of_build('m'),
                "binary-unlisted|mpich@1.3/" + hash_of_build('m')});
    // The main index follows: another state, although all are in the same stacks.
    mirror.list("", "hmz");
    CHECK(load(ledger, {{mirror.path()}}, "2025-03-02").result.loaded.size() == 1);
    CHECK(findings(ledger) == Lines{});
}

TEST_CASE("The files of a mirror say what of its views can be fetched") {
    const Mirror mirror;
    mirror.list("", "z");
    mirror.list("e4s", "hmz");
    mirror.add('h');
    mirror.add('z');
    TempLedger ledger;
    const auto loaded = load(ledger, {{mirror.path()}}, "2025-03-01").result;
    CHECK(stacks(ledger) == Lines{"hdf5|e4s", "zlib|e4s,root"});
    CHECK(findings(ledger) ==
          Lines{"index-stale|1 build of the view e4s is not in the main index",
                "index-stale|1 of 3 builds that the view e4s lists can't be fetched: no spec "
                "manifest",
                "binary-unlisted|hdf5@1.3/" + hash_of_build('h'),
                "binary-missing|mpich@1.3/" + hash_of_build('m')});
    REQUIRE(loaded.notes.size() == 2);
    CHECK_THAT(loaded.notes[0], ContainsSubstring("'spack buildcache update-index --force --name "
                                                  "e4s' makes it anew"));
    mirror.list("e4s", "z");
    load(ledger, {{mirror.path()}}, "2025-03-02");
    CHECK(findings(ledger) == Lines{"index-stale|1 build is in the mirror and not in its index",
                                    "binary-unlisted|hdf5@1.3/" + hash_of_build('h')});
}

TEST_CASE("A mirror without a main index has what its views list") {
    const Mirror mirror;
    mirror.list("ml", "z");
    mirror.add('z');
    TempLedger ledger;
    load(ledger, {{mirror.path()}}, "2025-03-01");
    CHECK(stacks(ledger) == Lines{"zlib|ml"});
    CHECK(ledger.value("SELECT size FROM spec") == "7");
    load(ledger, {{"mine=" + mirror.path()}}, "2025-03-02");
    CHECK(stacks(ledger) == Lines{"zlib|mine"});
    mirror.list("e4s", "zh");
    mirror.add('h');
    load(ledger, {{mirror.path()}}, "2025-03-03");
    CHECK(stacks(ledger) == Lines{"hdf5|e4s", "zlib|e4s,ml"});
    CHECK(findings(ledger) == Lines{});
    CHECK_THAT(load(ledger, {{"mine=" + mirror.path()}}, "2025-03-04").problem,
               ContainsSubstring("several views: name one of e4s, ml"));
}

TEST_CASE("A view that can't be read is named, and nothing is loaded") {
    const UsualMirror mirror;
    TempLedger ledger;
    load(ledger, {{mirror.path()}}, "2025-03-01");
    const auto before = ledger.tables();
    const std::string manifest = Mirror::manifest_of("e4s");
    const std::string whole = texts::index_manifest(texts::entry(texts::index()));
    for (const std::string& text :
         {whole.substr(0, 90), std::string("garbage"), std::string(), std::string("{}"),
          texts::index(), texts::index_manifest("{}"), std::string(texts::lock)}) {
        INFO(text);
        mirror.write(manifest, text);
        CHECK_THAT(load(ledger, {{mirror.path()}}, "2025-03-02").problem,
                   ContainsSubstring(mirror.path(manifest) + ": "));
        CHECK(ledger.tables() == before);
    }
    mirror.write(manifest, whole);
    CHECK_THAT(load(ledger, {{mirror.path()}}, "2025-03-02").problem,
               ContainsSubstring(mirror.path(texts::blob_path(texts::index())) +
                                 ": is missing; the index of its mirror is there"));
    mirror.write(texts::blob_path(texts::index()), "cut");
    CHECK_THAT(load(ledger, {{mirror.path()}}, "2025-03-02").problem,
               ContainsSubstring(mirror.path(texts::blob_path(texts::index())) + ": "));
    CHECK(ledger.tables() == before);
    // With --keep-going its stack is not observed, and the builds that only it listed stay.
    mirror.list("", "mz");
    load(ledger, {{mirror.path()}}, "2025-03-03", {.keep_going = true});
    CHECK(stacks(ledger) == Lines{"hdf5|e4s", "mpich|root", "zlib|e4s,ml,root"});
    CHECK(ledger.rows("SELECT stack FROM unobserved_stack") == Lines{"e4s"});
    CHECK(stacks_before(ledger.database(), "site") == Lines{"e4s", "ml"});
}

TEST_CASE("Of a URL those views are read that are named") {
    const UsualMirror mirror;
    const auto server = mirror.server();
    const auto options = [&](std::optional<Lines> views, const std::string& below = "/m") {
        InputOptions inputs{{server.url(below)}};
        inputs.views = std::move(views);
        inputs.http = mirror.http();
        return inputs;
    };
    TempLedger ledger;
    load(ledger, options(std::nullopt), "2025-03-01");
    CHECK(stacks(ledger) == Lines{"hdf5|root", "mpich|root", "zlib|root"});
    load(ledger, options(Lines{"ml", "e4s", "ml"}), "2025-03-02");
    CHECK(stacks(ledger) == usual);
    const std::size_t before = server.requests().size();
    CHECK(load(ledger,
               options(Lines{"e4s", "ml"}, "/" + std::string("m/") + Mirror::manifest_of("")),
               "2025-03-03")
              .result.unchanged.size() == 1);
    CHECK(server.requests().size() == before + 3);  // the manifests only
    mirror.list("ml", "m");
    CHECK(load(ledger, options(Lines{"e4s", "ml"}), "2025-03-04").result.loaded.size() == 1);
    CHECK(load(ledger, options(Lines{"e4s", "hpc"}), "2025-03-05").problem ==
          server.url("/m") +
              ": has no view 'hpc'; the server says 404 (not found) of "
              "v3/manifests/index/hpc/index.manifest.json");
    mirror.remove("");
    load(ledger, options(Lines{"e4s"}), "2025-03-06");
    CHECK(stacks(ledger) == Lines{"hdf5|e4s", "zlib|e4s"});
    mirror.list("e4s", "hmz");
    mirror.list("", "z");
    load(ledger, options(Lines{"e4s"}), "2025-03-07");
    CHECK(stacks(ledger) == Lines{"hdf5|e4s", "mpich|e4s", "zlib|e4s,root"});
    CHECK(findings(ledger).size() == 3);
}

TEST_CASE("Of a folder those views are read that are named") {
    const UsualMirror mirror;
    mirror.list("bad name", "z");
    const auto options = [&](Lines views) {
        InputOptions inputs{{mirror.path()}};
        inputs.views = std::move(views);
        return inputs;
    };
    TempLedger ledger;
    CHECK_THAT(load(ledger, {{mirror.path()}}, "2025-03-01").problem,
               ContainsSubstring(mirror.path() + ": the view 'bad name': expected the name of a"));
    load(ledger, options({"e4s"}), "2025-03-01");
    CHECK(stacks(ledger) == Lines{"hdf5|e4s,root", "mpich|root", "zlib|e4s,root"});
    CHECK(load(ledger, options({"hpc"}), "2025-03-02").problem ==
          mirror.path() + ": has no view 'hpc'");
}

TEST_CASE("The name of a view leads to no other folder") {
    const UsualMirror mirror;
    const auto problem = [](const Lines& arguments, const std::string& view) {
        InputOptions inputs{arguments};
        inputs.views = Lines{view};
        return thrown<UsageError>([&] { find_inputs(inputs); });
    };
    for (const char* const name : {"", "/", "..", "../m", "a/../../b", "a//b", "/a", "a/", ".",
                                   "a b", "a,b", "a?b", "a#b", "%2e%2e", "a\\b", "a\nb"}) {
        CHECK_THAT(
            problem({mirror.path()}, name),
            ContainsSubstring(fmt::format("--view '{}': expected the name of a view", name)));
    }
    CHECK_THAT(problem({mirror.path()}, "root"), ContainsSubstring("root is no stack"));
    CHECK_THAT(problem({mirror.path(), mirror.path()}, "ml"), ContainsSubstring("one mirror"));
    CHECK_THAT(problem({"x=" + mirror.path()}, "ml"), ContainsSubstring("one mirror"));
    mirror.write("page.md", texts::page);
    CHECK_THAT(problem({mirror.path("page.md")}, "ml"), ContainsSubstring("is pages"));
}

}  // namespace index_views_test
