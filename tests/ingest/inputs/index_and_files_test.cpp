#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "ingest/runs/files/graph_source.hpp"
#include "ingest/snapshots/forget.hpp"
#include "ingest/sources/inputs/inputs.hpp"
#include "reports/questions/coverage/coverage.hpp"
#include "schema/ledger/check/check.hpp"
#include "schema/ledger/names/moment.hpp"
#include "schema/specs/lists/spec_list.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_text.hpp"
#include "tests/support/ledgers/index_texts.hpp"
#include "tests/support/ledgers/report_rows.hpp"

namespace index_and_files_test {

// An index and the files of its mirror that disagree about what there is.
using namespace cacheledger;
using graph_text::NodeText;
namespace fs = std::filesystem;

namespace {

const std::string hdf5 = hash_of("a");
const std::string mpich = hash_of("b");
const std::string zlib = hash_of("c");

std::string package_of(const std::string& hash) {
    return hash == hdf5 ? "hdf5" : hash == mpich ? "mpich" : "zlib";
}

std::string node(const std::string& hash) {
    NodeText text{.hash = hash, .package = package_of(hash)};
    if (hash != zlib) {
        text.dependencies = {{"zlib", zlib}};
    }
    return text.text(5);
}

/// A mirror of layout 2 or 3 with an index.
class Mirror {
  public:
    explicit Mirror(int layout) : layout_(layout) {}

    std::string path() const { return folder_.path().string(); }

    void list(const Lines& hashes) const {
        std::vector<graph_text::Keyed> nodes;
        for (const std::string& hash : hashes) {
            nodes.emplace_back(hash, node(hash));
        }
        const std::string index = graph_text::index("8", nodes);
        folder_.write(layout_ == 3 ? texts::blob_path(index) : "build_cache/index.json", index);
        if (layout_ == 3) {
            folder_.write("v3/manifests/index/index.manifest.json",
                          texts::index_manifest(texts::entry(index)));
        }
    }

    std::string file(const std::string& hash) const {
        const std::string name = fmt::format("{}-1.3-{}.spec.", package_of(hash), hash);
        return layout_ == 3 ? fmt::format("{}/v3/manifests/spec/{}/{}manifest.json", path(),
                                          package_of(hash), name)
                            : fmt::format("{}/build_cache/linux-x-gcc-13-{}json", path(), name);
    }

    void add(const std::string& hash) const {
        const std::string nodes = node(hash) + (hash == zlib ? "" : "," + node(zlib));
        folder_.write(
            file(hash),
            layout_ == 3
                ? R"({"data": [{"contentLength": 7, "mediaType": "application/vnd.spack.install.x"}]})"
                : fmt::format(R"({{"spec":{{"_meta":{{"version":5}},"nodes":[{}]}}}})", nodes));
    }

    void remove(const std::string& hash) const { fs::remove(file(hash)); }

    /// What a spec file is called.
    std::string kind() const { return layout_ == 3 ? "spec manifest" : "spec file"; }

  private:
    int layout_;
    TempFolder folder_;
};

IngestResult load(TempLedger& ledger, const Lines& paths, const std::string& day,
                  bool if_changed = true) {
    const Inputs inputs = find_inputs({.arguments = paths});
    IngestResult result = ingest(ledger.database(), *open_graphs(inputs, "site", "x"),
                                 {.taken_at = parse_moment(day).value(), .if_changed = if_changed},
                                 [](std::size_t, std::size_t) {});
    CHECK(find_problems(ledger.database(), 10) == Lines{});
    return result;
}

Lines packages(TempLedger& ledger) {
    return ledger.rows("SELECT package FROM latest_specs ORDER BY 1");
}

Lines findings(TempLedger& ledger) {
    return ledger.rows(
        "SELECT kind, package, detail FROM findings WHERE snapshot = (SELECT max(name) FROM "
        "snapshots) AND kind <> 'dependency-missing' ORDER BY kind DESC, detail");
}

Lines closure(TempLedger& ledger, const std::string& package = "*") {
    return report_rows(
        ledger, "audit/closure",
        {{"at", ledger.value("SELECT max(name) FROM snapshots")}, {"package", package}});
}

/// Only hdf5 is there; of mpich and zlib there are findings of a kind.
void check_stale(TempLedger& ledger, const std::string& sentence, const std::string& kind,
                 const Lines& rows) {
    CHECK(packages(ledger) == Lines{"hdf5"});
    CHECK(findings(ledger) == Lines{"index-stale|NULL|" + sentence,
                                    kind + "|mpich|mpich@1.3/" + mpich,
                                    kind + "|zlib|zlib@1.3/" + zlib});
    CHECK(closure(ledger) == rows);
    const Snapshot now = find_snapshot(ledger.database(), "latest");
    CHECK(cover_list(ledger.database(), now, "list", read_spec_list("hdf5\n", "list")).remarks ==
          Lines{sentence + "."});
}

}  // namespace

TEST_CASE("What an index lists and its mirror has no file of can't be fetched") {
    for (const int layout : {2, 3}) {
        INFO(layout);
        const Mirror mirror(layout);
        mirror.list({hdf5, mpich, zlib});
        mirror.add(hdf5);
        TempLedger ledger;
        const std::string sentence =
            "2 of 3 builds that the index lists can't be fetched: no " + mirror.kind();
        const IngestResult result = load(ledger, {mirror.path()}, "2025-03-01");
        REQUIRE(result.notes.size() == 1);
        CHECK(result.notes[0].starts_with(mirror.path()));
        CHECK(result.notes[0].ends_with(": " + sentence +
                                        "; 'spack buildcache update-index' makes the index anew"));
        check_stale(ledger, sentence, "binary-missing",
                    {"missing|zlib|1.3|" + zlib + "|1|1", "missing|mpich|1.3|" + mpich + "|0|0"});
        CHECK(closure(ledger, "m*") == Lines{"missing|mpich|1.3|" + mpich + "|0|0"});
    }
}

TEST_CASE("A build of a list is not there where a library that it links to can't be fetched") {
    for (const int layout : {2, 3}) {
        INFO(layout);
        const Mirror mirror(layout);
        mirror.list({hdf5, mpich, zlib});
        mirror.add(hdf5);
        mirror.add(mpich);
        TempLedger ledger;
        load(ledger, {mirror.path()}, "2025-03-01");
        const auto cover = [&] {
            return cover_list(ledger.database(), find_snapshot(ledger.database(), "latest"), "list",
                              read_spec_list("hdf5\n/" + mpich + "\n", "list"));
        };
        const Coverage coverage = cover();
        CHECK(coverage.runtime.covered == 0);
        REQUIRE(coverage.missing.rows.size() == 2);
        CHECK(coverage.missing.rows[0][6] == Value(hdf5));
        CHECK(coverage.missing.rows[0][7] == Value("no zlib@1.3 to link or run"));
        CHECK(coverage.missing.rows[1][7] == Value("no zlib@1.3 to link or run"));
        mirror.add(zlib);
        load(ledger, {mirror.path()}, "2025-03-02");
        CHECK(cover().runtime.covered == 2);
    }
}

TEST_CASE("What a mirror has and its index does not list is said, and is not there") {
    for (const int layout : {2, 3}) {
        INFO(layout);
        const Mirror mirror(layout);
        mirror.list({hdf5});
        mirror.add(hdf5);
        mirror.add(mpich);
        mirror.add(zlib);
        TempLedger ledger;
        const std::string sentence = "2 builds are in the mirror and not in its index";
        CHECK(load(ledger, {mirror.path()}, "2025-03-01").notes.size() == 1);
        check_stale(
            ledger, sentence, "binary-unlisted",
            {"unlisted|zlib|NULL|" + zlib + "|1|1", "unlisted|mpich|1.3|" + mpich + "|0|0"});
    }
}

TEST_CASE("An index that its mirror agrees with again makes another snapshot") {
    for (const int layout : {2, 3}) {
        INFO(layout);
        const Mirror mirror(layout);
        mirror.list({hdf5, zlib});
        mirror.add(hdf5);
        mirror.add(zlib);
        TempLedger ledger;
        const Lines path = {mirror.path()};
        CHECK(load(ledger, path, "2025-03-01").loaded.size() == 1);
        const auto before = ledger.views();
        mirror.remove(zlib);
        CHECK(load(ledger, path, "2025-03-02").loaded.size() == 1);
        CHECK(load(ledger, path, "2025-03-03").unchanged.size() == 1);
        CHECK(
            ledger.rows("SELECT package, change FROM changes WHERE taken_at LIKE '2025-03-02%'") ==
            Lines{"zlib|removed"});
        forget(ledger.database(), "latest");
        CHECK(ledger.views() == before);
        CHECK(load(ledger, path, "2025-03-03").loaded.size() == 1);
        mirror.list({hdf5});  // no other build is there, and none is missing
        CHECK(load(ledger, path, "2025-03-04").loaded.size() == 1);
        CHECK(findings(ledger) == Lines{});
        CHECK(closure(ledger) == Lines{"missing|zlib|1.3|" + zlib + "|1|1"});
    }
}

TEST_CASE("Of an index without files beside it nothing is claimed") {
    for (const int layout : {2, 3}) {
        INFO(layout);
        const Mirror mirror(layout);
        mirror.list({hdf5, zlib});
        TempLedger ledger;
        CHECK(load(ledger, {mirror.path()}, "2025-03-01").notes.empty());
        CHECK(packages(ledger) == Lines{"hdf5", "zlib"});
        mirror.add(hdf5);
        const std::string copy = mirror.path() + "/copy.json";
        fs::path index = mirror.path() + "/build_cache/index.json";
        if (layout == 3) {
            for (const auto& entry : fs::recursive_directory_iterator(mirror.path() + "/blobs")) {
                index = entry.is_regular_file() ? entry.path() : index;
            }
        }
        fs::copy_file(index, copy);
        load(ledger, {copy}, "2025-03-02");
        CHECK(packages(ledger) == Lines{"hdf5", "zlib"});
        CHECK(findings(ledger) == Lines{});
    }
}

TEST_CASE("Spec files in YAML, signed ones and those of other mirrors count") {
    const Mirror mirror(2);
    mirror.list({hdf5, mpich, zlib});
    mirror.add(hdf5);
    fs::copy_file(mirror.file(hdf5), mirror.path() + "/build_cache/x-" + mpich + ".spec.json.sig");
    fs::copy_file(mirror.file(hdf5), mirror.path() + "/build_cache/x-" + zlib + ".spec.yaml");
    TempLedger ledger;
    CHECK(load(ledger, {mirror.path()}, "2025-03-01").notes.empty());
    const Mirror other(3);
    other.list({hdf5, zlib});
    other.add(zlib);
    load(ledger, {"one=" + mirror.path(), "two=" + other.path()}, "2025-03-02");
    CHECK(ledger.rows("SELECT package, stacks FROM latest_specs ORDER BY 1") ==
          Lines{"hdf5|one", "mpich|one", "zlib|one,two"});
    CHECK(closure(ledger) == Lines{});
}

}  // namespace index_and_files_test
