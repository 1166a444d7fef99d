#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ingest/runs/files/graph_source.hpp"
#include "ingest/sources/inputs/inputs.hpp"
#include "schema/errors/error.hpp"
#include "schema/ledger/check/check.hpp"
#include "schema/ledger/names/moment.hpp"
#include "schema/text/sha256.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_text.hpp"
#include "tests/support/ledgers/gzip.hpp"
#include "tests/support/ledgers/index_texts.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace spec_files_test {

// Mirrors without an index: their spec files say what the index would.
using namespace cacheledger;
using graph_text::NodeText;

namespace {

const std::string a = hash_of("a");
const std::string b = hash_of("b");
const std::string c = hash_of("c");

std::string node(const std::string& hash) {
    NodeText text{.hash = hash, .package = hash == a ? "hdf5" : hash == b ? "mpich" : "zlib"};
    if (hash == a) {
        text.dependencies = {{"mpich", b}, {"zlib", c}};
    } else if (hash == b) {
        text.dependencies = {{"zlib", c}};
    }
    return text.text(5);
}

/// The spec file of a binary: it and all that it needs.
std::string spec_file(const Lines& hashes) {
    std::string nodes;
    for (const std::string& hash : hashes) {
        nodes += (nodes.empty() ? "" : ",") + node(hash);
    }
    return fmt::format(R"({{"spec":{{"_meta":{{"version":5}},"nodes":[{}]}},)"
                       R"("buildcache_layout_version":2,"binary_cache_checksum":{{}}}})",
                       nodes);
}

std::string signed_text(const std::string& text) {
    return "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n" + text +
           "\n-----BEGIN PGP SIGNATURE-----\n\nx\n-----END PGP SIGNATURE-----\n";
}

/// The index that says the same: hdf5 and mpich are in the cache, zlib is only needed.
std::string index_of_both() {
    const auto record = [](const std::string& hash, bool is_there) {
        return fmt::format(R"("{}":{{"spec":{},"ref_count":1,"in_buildcache":{}}})", hash,
                           node(hash), is_there);
    };
    return fmt::format(R"({{"database":{{"version":"8","installs":{{{},{},{}}}}}}})",
                       record(a, true), record(b, true), record(c, false));
}

IngestResult load(TempLedger& ledger, const std::string& path, bool keep_going = false,
                  const std::string& day = "2025-03-01") {
    const Inputs inputs = find_inputs({.arguments = {path}});
    return ingest(ledger.database(), *open_graphs(inputs, "site", path),
                  {.source = path, .taken_at = parse_moment(day).value(), .keep_going = keep_going},
                  [](std::size_t, std::size_t) {});
}

/// The rows of all views, but for the place of the files.
std::map<std::string, Lines> views_of(TempLedger& ledger) {
    CHECK(find_problems(ledger.database(), 10) == Lines{});
    ledger.database().exec("UPDATE snapshot SET source = ''");
    return ledger.views();
}

void write_layout_3(const TempFolder& folder, const std::string& hash, const std::string& stored,
                    const std::string& more = "") {
    const std::string sha256 = sha256_of(stored);
    folder.write(fmt::format("blobs/sha256/{}/{}", sha256.substr(0, 2), sha256), stored + more);
    folder.write(fmt::format("v3/manifests/spec/x/x-1.0-{}.spec.manifest.json", hash),
                 signed_text(fmt::format(
                     R"({{"version": 3, "data": [
            {{"contentLength": 70, "mediaType": "application/vnd.spack.install.v2.tar+gzip"}},
            {{"contentLength": {}, "mediaType": "application/vnd.spack.spec.v5+json",
              "compression": "gzip", "checksumAlgorithm": "sha256", "checksum": "{}"}}]}})",
                     stored.size(), sha256)));
}

}  // namespace

TEST_CASE("The spec files of a mirror make the snapshot that its index would make") {
    const TempFolder with_index;
    with_index.write("build_cache/index.json", index_of_both());
    TempLedger expected;
    load(expected, with_index.path().string());
    const auto views = views_of(expected);
    REQUIRE(views.at("specs").size() == 2);
    REQUIRE(views.at("dependencies").size() == 3);

    const TempFolder layout_2;
    layout_2.write("build_cache/linux-x-hdf5-1.0-" + a + ".spec.json.sig",
                   signed_text(spec_file({a, c, b})));
    layout_2.write("build_cache/linux-x-mpich-1.0-" + b + ".spec.json", spec_file({b, c}));
    layout_2.write("build_cache/linux-x-mpich-1.0-" + b + ".spec.json.sig",
                   signed_text(spec_file({b, c})));
    layout_2.write("build_cache/linux-x-mpich-1.0-" + b + ".spack", "not read");
    TempLedger second;
    load(second, layout_2.path().string());
    CHECK(views_of(second) == views);
    TempLedger inside;
    load(inside, (layout_2.path() / "build_cache").string());
    CHECK(views_of(inside) == views);

    const TempFolder layout_3;
    write_layout_3(layout_3, a, gzipped(spec_file({a, b, c})));
    write_layout_3(layout_3, b, gzipped(spec_file({b, c})));
    TempLedger third;
    load(third, layout_3.path().string());
    CHECK(third.rows("SELECT DISTINCT size FROM specs") == Lines{"70"});
    third.database().exec("UPDATE spec SET size = NULL");
    CHECK(views_of(third) == views);
}

TEST_CASE("A mirror without an index is of a stack, and may be loaded again") {
    const TempFolder mirror;
    mirror.write("build_cache/x-" + b + ".spec.json", spec_file({b, c}));
    TempLedger ledger;
    load(ledger, "e4s=" + mirror.path().string());
    CHECK(ledger.rows("SELECT package, stacks FROM specs") == Lines{"mpich|e4s"});
    mirror.write("build_cache/x-" + a + ".spec.json", spec_file({a, b, c}));
    load(ledger, "e4s=" + mirror.path().string(), false, "2025-03-02");
    CHECK(ledger.rows("SELECT package, change FROM changes WHERE taken_at LIKE '2025-03-02%'") ==
          Lines{"hdf5|added"});
    CHECK(load(ledger, "e4s=" + mirror.path().string(), false, "2025-03-02").unchanged.size() == 1);
}

TEST_CASE("A note says that an index lacks binaries that its mirror has") {
    const TempFolder mirror;
    const std::string index = index_of_both();
    mirror.write(texts::blob_path(index), index);
    mirror.write("v3/manifests/index/index.manifest.json",
                 texts::index_manifest(texts::entry(index)));
    write_layout_3(mirror, a, gzipped(spec_file({a, b, c})));
    TempLedger ledger;
    write_layout_3(mirror, b, gzipped(spec_file({b, c})));
    CHECK(load(ledger, mirror.path().string()).notes.empty());
    write_layout_3(mirror, c, gzipped(spec_file({c})));
    CHECK(load(ledger, mirror.path().string(), false, "2025-03-02").notes ==
          Lines{mirror.path().string() +
                ": 1 build is in the mirror and not in its index; 'spack buildcache update-index' "
                "makes the index anew"});
    CHECK(ledger.value("SELECT count(*) FROM latest_specs") == "2");
}

TEST_CASE("A folder with an index is read by that") {
    const TempFolder mirror;
    mirror.write("build_cache/index.json", index_of_both());
    mirror.write("build_cache/x-" + a + ".spec.json", "broken");
    mirror.write("build_cache/x-" + b + ".spec.json", "broken");
    TempLedger ledger;
    load(ledger, mirror.path().string());
    CHECK(ledger.rows("SELECT package FROM specs ORDER BY 1") == Lines{"hdf5", "mpich"});
}

TEST_CASE("A spec file that can't be read is named, or with --keep-going is a finding") {
    const TempFolder mirror;
    const std::string folder = mirror.path().string();
    mirror.write("build_cache/x-" + b + ".spec.json", spec_file({b, c}));
    const auto name = [&](const std::string& file) { return folder + "/build_cache/" + file; };
    const std::vector<std::pair<std::string, std::string>> bad = {
        {"a.spec.json", R"({"spec":{"nodes":[]}})"},
        {"b.spec.json", index_of_both()},
        {"c.spec.json", "{\"spec\":"},
        {"d.spec.json.sig", "-----BEGIN PGP SIGNED MESSAGE-----\n\n{"},
        {"e.spec.json", ""}};
    const Lines expected = {name("a.spec.json") + ": spec.nodes: expected at least one node",
                            name("b.spec.json") + ": expected a spec file, with 'spec'"};
    for (const auto& [file, text] : bad) {
        mirror.write("build_cache/" + file, text);
    }
    TempLedger ledger;
    const Lines problems = refusal_of([&] { load(ledger, folder); });
    REQUIRE(problems.size() == bad.size());
    CHECK(Lines(problems.begin(), problems.begin() + 2) == expected);
    for (std::size_t i = 0; i < bad.size(); ++i) {
        CHECK(problems[i].starts_with(name(bad[i].first) + ": "));
    }
    load(ledger, folder, true);
    CHECK(ledger.rows("SELECT package FROM specs") == Lines{"mpich"});
    CHECK(ledger.rows("SELECT DISTINCT kind FROM findings") == Lines{"spec-unreadable"});
    CHECK(ledger.value("SELECT count(*) FROM findings") == "5");
    CHECK(ledger.rows("SELECT detail FROM findings WHERE path LIKE '%/a.spec.json'") ==
          Lines{expected[0]});
}

TEST_CASE("A spec file has to be that of the hash in its name") {
    const TempFolder of_layout_2;
    of_layout_2.write("build_cache/linux-x-" + a + ".spec.json", spec_file({b, c}));
    const TempFolder of_layout_3;
    write_layout_3(of_layout_3, a, spec_file({b, c}));
    for (const TempFolder* const mirror : {&of_layout_2, &of_layout_3}) {
        TempLedger ledger;
        const Lines problems = refusal_of([&] { load(ledger, mirror->path().string()); });
        CHECK(problems[0].ends_with("expected the spec /" + a + " of its name, found /" + b));
    }
}

TEST_CASE("A spec file of layout 3 has to have the content that its manifest names") {
    const TempFolder mirror;
    write_layout_3(mirror, a, gzipped(spec_file({a, b, c})), "more");
    write_layout_3(mirror, b, spec_file({b, c}));
    TempLedger ledger;
    CHECK_THROWS_AS(load(ledger, mirror.path().string()), InputError);
    const IngestResult result = load(ledger, mirror.path().string(), true);
    REQUIRE(result.bad_pages.size() == 1);
    CHECK(result.bad_pages[0].find("/blobs/sha256/") != std::string::npos);
    CHECK(ledger.rows("SELECT package FROM specs") == Lines{"mpich"});
}

TEST_CASE("A folder of pages with spec files is not guessed at") {
    const TempFolder folder;
    folder.write("x-" + b + ".spec.json", spec_file({b, c}));
    folder.write("zlib/specs.md", PrintedPage{"zlib", {}}.text());
    TempLedger ledger;
    CHECK_THROWS_AS(load(ledger, folder.path().string()), InputError);
}

TEST_CASE("Keys of spec files that are not known are counted once for the mirror") {
    const TempFolder mirror;
    for (const std::string& hash : {b, c}) {
        std::string text = spec_file({hash});
        text.insert(1, R"("colour":"red",)");
        mirror.write("build_cache/x-" + hash + ".spec.json", text);
    }
    TempLedger ledger;
    load(ledger, mirror.path().string());
    CHECK(ledger.rows("SELECT detail FROM findings WHERE kind = 'unknown-field'") ==
          Lines{"'colour' is not known and not stored, 2 times"});
}

}  // namespace spec_files_test
