#include <fmt/format.h>

#include <map>
#include <string>

#include "ingest/sources/kinds/manifests.hpp"
#include "ingest/sources/mirrors/spec_files.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/temp_ledger.hpp"

namespace binary_sizes_test {

using namespace cacheledger;
using Sizes = std::map<std::string, std::uint64_t>;
using Lines = std::vector<std::string>;

namespace {

std::string manifest(std::uint64_t size) {
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

TEST_CASE("The size of a binary is in the manifest of its spec, signed or not") {
    const TempFolder folder;
    folder.write(name_of("zlib", "a"), manifest(1234));
    folder.write(name_of("py-numpy", "b"),
                 "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n" + manifest(5) +
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
    folder.write(name_of("zlib", "a"), manifest(1));
    const std::string broken = folder.write(name_of("zlib", "b"), "{").string();
    Sizes sizes;
    const Lines problems = read(folder, sizes);
    REQUIRE(problems.size() == 1);
    CHECK(problems[0].rfind(broken + ": broken JSON", 0) == 0);
    CHECK(sizes.size() == 1);
    folder.write(name_of("zlib", "b"), R"({"version": 3, "data": []})");
    CHECK(read(folder, sizes) ==
          Lines{broken + ": expected a spec manifest that names a binary; it names none"});
    folder.write(name_of("zlib", "b"), manifest(2));
    const std::string odd =
        folder.write("v3/manifests/spec/zlib/zlib-1.0.spec.manifest.json", manifest(3)).string();
    CHECK(read(folder, sizes) ==
          Lines{odd + ": expected a name PACKAGE-VERSION-HASH.spec.manifest.json"});
}

}  // namespace binary_sizes_test
