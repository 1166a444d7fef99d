#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

#include "ingest/runs/files/graph_source.hpp"
#include "ingest/sources/inputs/inputs.hpp"
#include "ingest/sources/kinds/manifests.hpp"
#include "ingest/sources/mirrors/spec_files.hpp"
#include "schema/ledger/check/check.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/graph_fixture.hpp"
#include "tests/support/ledgers/graph_text.hpp"
#include "tests/support/ledgers/index_texts.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace mirror_sizes_test {

// The sizes of binaries, from the spec manifests of a mirror to the ledger.
using namespace cacheledger;
using Sizes = std::map<std::string, std::uint64_t>;

namespace {

const std::string a = hash_of("a");
const std::string b = hash_of("b");
const std::string c = hash_of("c");

/// Two specs of an index, and one that it only needs.
const MadeInput index_of_mirror = {
    "develop",
    {{"hwloc", a}, {"mpich", b, {{"hwloc", a}, {"zlib", c}}}, {"zlib", c}},
    {{"root", {a, b}}}};

std::string manifest(const std::string& size) {
    return fmt::format(R"({{"version": 3, "data": [{{"contentLength": {},
        "mediaType": "application/vnd.spack.install.v2.tar+gzip"}}]}})",
                       size);
}

/// A mirror with binaries: their hashes and the sizes that their manifests give.
class Mirror {
  public:
    explicit Mirror(const std::vector<std::pair<std::string, std::string>>& binaries) {
        for (const auto& [hash, size] : binaries) {
            folder_.write(fmt::format("v3/manifests/spec/x/x-1.0-{}.spec.manifest.json", hash),
                          manifest(size));
        }
    }
    std::string path() const { return folder_.path().string(); }

    /// Writes its index.
    void list(const std::string& index) const {
        folder_.write(texts::blob_path(index), index);
        folder_.write("v3/manifests/index/index.manifest.json",
                      texts::index_manifest(texts::entry(index)));
    }

  private:
    TempFolder folder_;
};

IngestResult take(TempLedger& ledger, const std::string& day, const std::vector<Mirror>& mirrors,
                  const MadeInput& made = index_of_mirror) {
    const IngestOptions options{.taken_at = parse_moment(day).value()};
    return load_graph(ledger, options, [&](Earlier&) {
        GraphInput input = make_input(made);
        for (const Mirror& mirror : mirrors) {
            read_sizes(mirror.path(), input);
        }
        return input;
    });
}

/// The sizes of a, b and c.
Lines sizes(TempLedger& ledger) {
    CHECK(find_problems(ledger.database(), 10) == Lines{});
    return ledger.rows("SELECT size FROM spec ORDER BY hash");
}

Lines findings(TempLedger& ledger) {
    return ledger.rows("SELECT package, kind, detail FROM findings ORDER BY detail");
}

std::vector<Mirror> mirrors(
    const std::vector<std::vector<std::pair<std::string, std::string>>>& all) {
    return {all.begin(), all.end()};
}

std::string spec_manifest(std::uint64_t size) {
    return fmt::format(R"({{"version": 3, "data": [
        {{"contentLength": 99, "mediaType": "application/vnd.spack.spec.v5+json",
          "compression": "gzip", "checksumAlgorithm": "sha256", "checksum": "aa"}},
        {{"contentLength": {}, "mediaType": "application/vnd.spack.install.v2.tar+gzip",
          "compression": "gzip", "checksumAlgorithm": "sha256", "checksum": "bb"}}]}})",
                       size);
}

std::string name_of(const std::string& package, const std::string& stem) {
    return fmt::format("v3/manifests/spec/{}/{}-1.0-rc1-{}.spec.manifest.json", package, package,
                       hash_of(stem));
}

Lines read(const TempFolder& folder, Sizes& sizes) {
    Lines lines;
    for (const Problem& problem : read_spec_manifests(
             folder.path().string(), [&](const DagHash&hash, std::string_view text) {
                 sizes[std::string(text_of(hash))] = read_binary_size(text);
             })) {
        lines.push_back(problem.message());
    }
    return lines;
}

}  // namespace

TEST_CASE("Specs have the sizes that their mirror gives, those that are only needed too") {
    TempLedger ledger;
    take(ledger, "2025-03-01", mirrors({{{a, "10"}, {c, "30"}, {hash_of("other"), "9"}}}));
    CHECK(sizes(ledger) == Lines{"10", "NULL", "30"});
    CHECK(ledger.rows("SELECT package, size FROM specs ORDER BY 1") ==
          Lines{"hwloc|10", "mpich|NULL"});
    CHECK(findings(ledger) == Lines{});
}

TEST_CASE("The sizes of a mirror are read with its index, and with no other file") {
    const Mirror mirror({{a, "10"}, {b, "20"}});
    const std::string index =
        graph_text::index("8", {{a, graph_text::NodeText{a, "hwloc"}.text(5)},
                                {b, graph_text::NodeText{b, "mpich"}.text(5)}});
    mirror.list(index);
    const TempFolder other;
    const std::string copy = other.write("index.json", index).string();
    for (const auto& [path, expected] :
         {std::pair(mirror.path(), Lines{"10", "20"}), std::pair(copy, Lines{"NULL", "NULL"})}) {
        TempLedger ledger;
        const Inputs inputs = find_inputs({{path}});
        ingest(ledger.database(), *open_graphs(inputs, "develop", path), {},
               [](std::size_t, std::size_t) {});
        CHECK(sizes(ledger) == expected);
    }
}

TEST_CASE("A size fills what is not known, and another one is a finding") {
    TempLedger ledger;
    take(ledger, "2025-03-01", mirrors({{{a, "10"}}}));
    take(ledger, "2025-03-02", mirrors({{{a, "11"}, {b, "20"}}}));
    CHECK(sizes(ledger) == Lines{"10", "20", "NULL"});
    CHECK(findings(ledger) ==
          Lines{"hwloc|hash-conflict|" + a + ": size stays 10, the mirror says 11"});
}

TEST_CASE("Of several sizes in one run the smallest is taken, whatever their order") {
    for (const auto& both :
         {mirrors({{{a, "9"}}, {{a, "10"}}}), mirrors({{{a, "10"}}, {{a, "9"}}})}) {
        TempLedger ledger;
        take(ledger, "2025-03-01", both);
        CHECK(sizes(ledger) == Lines{"9", "NULL", "NULL"});
        CHECK(findings(ledger) ==
              Lines{"hwloc|hash-conflict|" + a + ": size stays 9, the mirror says 10"});
    }
}

TEST_CASE("A snapshot that is in the ledger gets sizes when it is loaded again") {
    TempLedger ledger;
    take(ledger, "2025-03-01", {});
    CHECK(sizes(ledger) == Lines{"NULL", "NULL", "NULL"});
    const IngestResult again = take(ledger, "2025-03-01", mirrors({{{b, "20"}}}));
    CHECK(again.unchanged.size() == 1);
    CHECK(again.loaded.empty());
    CHECK(sizes(ledger) == Lines{"NULL", "20", "NULL"});
}

TEST_CASE("A spec manifest that can't be read is a finding, and said in one line for all") {
    TempLedger ledger;
    const auto broken = mirrors({{{a, "{"}, {b, "20"}, {c, "10000000000000"}}});
    const IngestResult result = take(ledger, "2025-03-01", broken);
    CHECK(sizes(ledger) == Lines{"NULL", "20", "NULL"});
    const std::string folder = broken[0].path() + "/v3/manifests/spec/x/x-1.0-";
    const std::string end = ".spec.manifest.json";
    const Lines found = ledger.rows("SELECT kind, path, detail FROM findings ORDER BY path");
    REQUIRE(found.size() == 2);
    const std::string first = folder + a + end;
    const std::string second = folder + c + end;
    CHECK(found[0].starts_with("size-unreadable|" + first + "|" + first + ": broken JSON"));
    CHECK(found[1] == "size-unreadable|" + second + "|" + second +
                          ": expected a binary of at most 9999999999999 bytes, found "
                          "10000000000000");
    REQUIRE(result.bad_pages.size() == 1);
    CHECK(result.bad_pages[0].starts_with("the sizes in 2 spec manifests, the first: " + first));
    CHECK(take(ledger, "2025-03-01", broken).bad_pages == result.bad_pages);
}

TEST_CASE("What a page says of a size stays, and a page that says nothing stays as it is") {
    TempLedger ledger;
    const std::vector<PrintedPage> pages = {{"hwloc", {{.hash = a, .more = R"(, "size": "5 MB")"}}},
                                            {"mpich", {{.hash = b}}}};
    ledger.take("2025-03-01", pages);
    take(ledger, "2025-03-02", mirrors({{{a, "10"}, {b, "20"}}}));
    CHECK(sizes(ledger) == Lines{"5 MB", "20", "NULL"});
    CHECK(findings(ledger) ==
          Lines{"hwloc|hash-conflict|" + a + ": size stays 5 MB, the mirror says 10"});
    CHECK(ledger.take("2025-03-01", pages).unchanged.size() == 1);
}

TEST_CASE("A spec that nothing describes has no size") {
    TempLedger ledger;
    MadeInput named = index_of_mirror;
    named.nodes.pop_back();
    take(ledger, "2025-03-01", mirrors({{{c, "30"}}}), named);
    CHECK(sizes(ledger) == Lines{"NULL", "NULL", "NULL"});
    const std::vector<PrintedPage> pages = {{"zlib", {{.hash = c}}}};
    ledger.take("2025-02-01", pages);
    CHECK(ledger.take("2025-02-01", pages).unchanged.size() == 1);
    take(ledger, "2025-03-02", mirrors({{{c, "30"}}}));
    CHECK(sizes(ledger) == Lines{"NULL", "NULL", "30"});
    CHECK(ledger.take("2025-02-01", pages).unchanged.size() == 1);
}

TEST_CASE("The size of a binary is in the manifest of its spec, signed or not") {
    const TempFolder folder;
    folder.write(name_of("zlib", "a"), spec_manifest(1234));
    folder.write(name_of("py-numpy", "b"),
                 "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n" + spec_manifest(5) +
                     "\n-----BEGIN PGP SIGNATURE-----\n\nx\n-----END PGP SIGNATURE-----\n");
    folder.write("v3/manifests/spec/zlib/other.json", "{}");
    Sizes sizes;
    CHECK(read(folder, sizes).empty());
    CHECK(sizes == Sizes{{hash_of("a"), 1234}, {hash_of("b"), 5}});
}

TEST_CASE("A mirror without spec manifests has no sizes") {
    const TempFolder folder;
    Sizes sizes;
    CHECK(read(folder, sizes).empty());
    CHECK(sizes.empty());
}

TEST_CASE("A spec manifest that can't be read is named, and the others are read") {
    const TempFolder folder;
    folder.write(name_of("zlib", "a"), spec_manifest(1));
    const std::string broken = folder.write(name_of("zlib", "b"), "{").string();
    Sizes sizes;
    const Lines problems = read(folder, sizes);
    REQUIRE(problems.size() == 1);
    CHECK(problems[0].rfind(broken + ": broken JSON", 0) == 0);
    CHECK(sizes.size() == 1);
    folder.write(name_of("zlib", "b"), R"({"version": 3, "data": []})");
    CHECK(read(folder, sizes) ==
          Lines{broken + ": expected a spec manifest that names a binary; it names none"});
    folder.write(name_of("zlib", "b"), spec_manifest(2));
    const std::string odd =
        folder.write("v3/manifests/spec/zlib/zlib-1.0.spec.manifest.json", spec_manifest(3))
            .string();
    CHECK(read(folder, sizes) ==
          Lines{odd + ": expected a name PACKAGE-VERSION-HASH.spec.manifest.json"});
}

}  // namespace mirror_sizes_test
