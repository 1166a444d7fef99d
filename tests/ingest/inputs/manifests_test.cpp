#include "ingest/sources/kinds/manifests.hpp"

#include <fmt/format.h>

#include "ingest/bytes/problems/problem.hpp"
#include "tests/support/catch.hpp"

namespace manifests_test {

using namespace cacheledger;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string sha256(64, 'a');

std::string entry(int version, const std::string& checksum = sha256,
                  const std::string& algorithm = "sha256") {
    return fmt::format(
        R"({{"contentLength": {}, "mediaType": "application/vnd.spack.db.v{}+json",
             "compression": "none", "checksumAlgorithm": "{}", "checksum": "{}"}})",
        version * 100, version, algorithm, checksum);
}

std::string manifest(const std::string& entries) {
    return fmt::format(R"({{"version": 3, "data": [{}]}})", entries);
}

template <typename Read>
std::string problem_of(const Read& read, const std::string& text) {
    try {
        read(text);
    } catch (const Problem& problem) {
        return problem.what();
    }
    return "none";
}

}  // namespace

TEST_CASE("Of several indexes in a manifest the newest that is known is taken") {
    const auto one = read_index_manifest(manifest(entry(8)));
    CHECK(one.version == 8);
    CHECK(one.index.sha256 == sha256);
    CHECK(one.index.size == 800);
    CHECK(one.others.empty());
    const auto several =
        read_index_manifest(manifest(entry(6) + "," + entry(9) + "," + entry(8) + "," + entry(10)));
    CHECK(several.version == 9);
    CHECK(several.others == std::vector<int>{6, 8, 10});
}

TEST_CASE("A signed manifest is read without its signature") {
    const std::string text = "-----BEGIN PGP SIGNED MESSAGE-----\r\nHash: SHA512\r\n\r\n" +
                             manifest(entry(8)) +
                             "\r\n-----BEGIN PGP SIGNATURE-----\r\n\r\nabc\r\n"
                             "-----END PGP SIGNATURE-----\r\n";
    CHECK(read_index_manifest(text).version == 8);
    CHECK_THAT(
        problem_of(read_index_manifest, text.substr(0, text.find("-----BEGIN PGP SIGNATURE"))),
        ContainsSubstring("expected the end of a signed message"));
}

TEST_CASE("An index manifest that can't be used says why") {
    const auto problem = [](const std::string& text) {
        return problem_of(read_index_manifest, text);
    };
    CHECK(problem(manifest("")) == "expected an index manifest that names an index; it names none");
    CHECK(problem(manifest(R"({"mediaType": "application/vnd.spack.spec.v5+json"})")) ==
          "expected an index manifest that names an index; it names none");
    CHECK(problem(manifest(entry(10) + "," + entry(11))) ==
          "expected an index of database version 5 to 9, found 10, 11");
    CHECK(problem(manifest(entry(8, sha256, "md5"))) ==
          "expected the checksumAlgorithm 'sha256', found 'md5'");
    for (const std::string& bad : {std::string("../../etc"), sha256 + "a", std::string(64, 'A')}) {
        CAPTURE(bad);
        CHECK_THAT(problem(manifest(entry(8, bad))),
                   ContainsSubstring("expected a sha256, 64 hex digits"));
    }
    CHECK_THAT(problem(R"({"version": 3, "data": 1})"), ContainsSubstring("expected \"data\""));
    CHECK_THAT(problem(R"({"version": 3, "data": [)"), ContainsSubstring("broken JSON"));
}

TEST_CASE("An OCI layout names the manifest of its index by tag") {
    const auto named = [](const std::string& tag) {
        return fmt::format(
            R"({{"schemaVersion": 2, "manifests": [{{"digest": "sha256:{}", "size": 7,
                 "annotations": {{"org.opencontainers.image.ref.name": "{}"}}}}]}})",
            sha256, tag);
    };
    CHECK(read_layout(named("index.spack")).sha256 == sha256);
    CHECK(read_layout(named("index.spack")).size == 7);
    CHECK(problem_of(read_layout, named("zlib.spack")) ==
          "expected an OCI layout with an index, tagged index.spack");
    CHECK(read_layout_manifest(
              fmt::format(R"({{"layers": [{{"digest": "sha256:{}", "size": 9}}]}})", sha256))
              .size == 9);
    CHECK_THAT(problem_of(read_layout_manifest, R"({"layers": []})"),
               ContainsSubstring("expected one layer"));
    CHECK_THAT(
        problem_of(read_layout_manifest, R"({"layers": [{"digest": "sha512:aa", "size": 9}]})"),
        ContainsSubstring("expected a digest 'sha256:...', found 'sha512:aa'"));
}

TEST_CASE("A manifest gives the indexes of each ref in order") {
    const auto refs = read_refs(R"({"v1": [], "develop": [{"label": "root", "url": "a"},
                                                           {"label": "e4s", "url": "b"}]})");
    REQUIRE(refs.size() == 2);
    CHECK(refs[0].ref == "v1");
    CHECK(refs[0].indexes.empty());
    CHECK(refs[1].indexes[1].label == "e4s");
    CHECK(refs[1].indexes[1].url == "b");
}

TEST_CASE("A manifest names a hundred thousand indexes at most") {
    const auto of_size = [](std::size_t size) {
        std::string text = R"({"v1": [], "develop": [)";
        for (std::size_t i = 0; i < size; ++i) {
            text += fmt::format(R"({}{{"label": "s{}", "url": "a"}})", i == 0 ? "" : ",", i);
        }
        return text + "]}";
    };
    CHECK(read_refs(of_size(most_indexes)).at(1).indexes.size() == most_indexes);
    CHECK_THAT(problem_of(read_refs, of_size(most_indexes + 1)),
               ContainsSubstring("expected at most 100000 indexes, found more, those of the ref "
                                 "'develop' among them"));
}

TEST_CASE("A manifest that is not as expected says where") {
    const auto problem = [](const std::string& text) { return problem_of(read_refs, text); };
    CHECK(problem(R"({"a": [], "a": []})") == "expected each ref once, found 'a' again");
    CHECK(problem(R"({"a": {}})") == "expected a list of indexes for the ref 'a'");
    CHECK(problem(R"({"a": [{"label": "x"}]})") ==
          "expected \"url\", a text, in each index of the ref 'a'");
    CHECK_THAT(problem(R"({"a": [{"label": "", "url": "x"}]})"), ContainsSubstring("not empty"));
    CHECK_THAT(problem("[]"), ContainsSubstring("expected a manifest of indexes"));
}

}  // namespace manifests_test
