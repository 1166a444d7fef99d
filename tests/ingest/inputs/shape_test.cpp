#include <fmt/format.h>

#include <string>

#include "ingest/bytes/problems/problem.hpp"
#include "ingest/sources/kinds/manifests.hpp"
#include "ingest/sources/kinds/shape.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/gzip.hpp"

namespace shape_test {

using namespace cacheledger;
using Catch::Matchers::ContainsSubstring;

namespace {

Shape shape(std::string_view text) {
    TextBytes bytes(text);
    return read_shape(bytes);
}

std::string problem_of(std::string_view text) {
    return thrown<Problem>([&] { shape(text); });
}

constexpr std::string_view expectation =
    "expected a build-cache index, an install database, a lock file or a manifest of indexes; "
    "found ";

// Records of an index, as many as that.
std::string long_index(std::size_t records) {
    std::string text = R"({"database": {"version": "8", "installs": {)";
    for (std::size_t i = 0; i < records; ++i) {
        text +=
            fmt::format(R"({}"{:032}": {{"spec": {{"name": "zlib", "path": "no", "text": "]}}\""}},
            "ref_count": 0, "in_buildcache": true}})",
                        i == 0 ? "" : ", ", i);
    }
    return text + "}}}";
}

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
    return thrown<Problem>([&] { read(text); });
}

}  // namespace

TEST_CASE("Build times are no snapshot, and a table is known by its first line") {
    const auto are_times = [](std::string_view text) {
        TextBytes bytes(text);
        return are_build_times(bytes);
    };
    for (const char* const text :
         {R"({"total": 1.5, "phases": [], "name": "zlib"})", R"([{"phases": []}])",
          "package,version,seconds\n", "\xef\xbb\xbf\"hash\", seconds\r\n", "seconds,package"}) {
        INFO(text);
        CHECK(are_times(text));
        CHECK(are_times(gzipped(text)));
        CHECK(problem_of(text) == std::string(expectation) +
                                      "build times, which 'cacheledger ingest FILE' loads alone");
    }
    for (const char* const text : {"", "zlib\n", "package,version\nzlib,seconds\n", "seconds\n",
                                   "{\"_meta\": {\"total\": 1}}", "[{\"name\": 1, \"total\": 1}]",
                                   "package,\"seconds\n", "{\"total"}) {
        INFO(text);
        CHECK_FALSE(are_times(text));
    }
    CHECK_FALSE(shape_of("package,version,sec", false).has_value());
    CHECK(shape_of("package,version,sec", true) == Shape::page);
    CHECK(shape_of(std::string(5000, 'a'), false) == Shape::page);
}

TEST_CASE("A database is that of a cache or of an install tree by its records") {
    CHECK(shape(R"({"database": {"version": "7", "installs": {"a": {"spec": {"path": 1},
                    "ref_count": 1, "in_buildcache": true}}}})") == Shape::index);
    CHECK(shape(R"({"database": {"installs": {"a": {"spec": {"in_buildcache": 1},
                    "path": null, "installed": false}}, "version": "7"}})") == Shape::install);
    CHECK(shape(R"({"database": {"installs": {"a": {"path": "/a", "spec": {}}}}})") ==
          Shape::install);
    CHECK(shape(R"({"database": {"installs": {"a": {"spec": {}}, "b": {"installed": true}}}})") ==
          Shape::install);
    CHECK(shape(R"({"database": {"version": "8", "installs": {}}})") == Shape::index);
    CHECK(shape(long_index(1000)) == Shape::index);
}

TEST_CASE("A lock file is told by any of its keys") {
    for (const char* const key :
         {"_meta", "roots", "concrete_specs", "spack", "include_concrete"}) {
        CAPTURE(key);
        CHECK(shape(fmt::format(R"({{"{}": {{}}}})", key)) == Shape::lock);
    }
}

TEST_CASE("A manifest of indexes is told by what its refs list") {
    CHECK(shape(R"({"develop": [{"label": "root", "url": "u"}]})") == Shape::refs);
    CHECK(shape(R"({"a": [], "develop": [{"url": "u"}]})") == Shape::refs);
    CHECK(shape(R"({"a": [], "b": []})") == Shape::refs);
}

TEST_CASE("An index manifest and an OCI layout are told by their keys") {
    CHECK(shape(R"({"version": 3, "data": []})") == Shape::index_manifest);
    CHECK(shape("-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n{}") == Shape::index_manifest);
    CHECK(shape(R"({"schemaVersion": 2, "manifests": []})") == Shape::layout);
}

TEST_CASE("What is no JSON may be a page") {
    for (const char* const text : {"---\ntitle: zlib\n---", "", " \n", "text", "-", "-----BEGIN"}) {
        CAPTURE(text);
        CHECK(shape(text) == Shape::page);
    }
}

TEST_CASE("The mark before a spec is no JSON") {
    for (const char* const mark : {"[+]", "[^]", "[e]", "[-]", "[b]", "[bl  ]", "[ lr]"}) {
        CAPTURE(mark);
        CHECK(shape(fmt::format(" {} python@3.11\n", mark)) == Shape::page);
        CHECK(shape(mark) == Shape::page);
        CHECK_FALSE(shape_of(std::string_view(mark).substr(0, 2), false).has_value());
    }
    CHECK(shape("[    ]  zlib@1.3") == Shape::page);
    for (const char* const text : {"[ ] 63aruxk zstd@1.5.7 fetching", "[x] tcl53i7 tcl@8.6.17",
                                   "[/] 63aruxk zstd@1.5.7 staging", "[me@login1 ~]$ spack find",
                                   "[root@node ~]# spack find -l\n"}) {
        CAPTURE(text);
        CHECK(shape(text) == Shape::page);
    }
    for (const char* const text : {"[+", "[]+", "[x]", "[1", "[    ]", "[    ]\nzlib"}) {
        CAPTURE(text);
        CHECK(problem_of(text) != "none");
    }
}

TEST_CASE("The shape of a compressed text is that of the text") {
    CHECK(shape(gzipped(long_index(5000))) == Shape::index);
    CHECK(shape(gzipped("---\ntitle: zlib\n---")) == Shape::page);
    CHECK_THAT(problem_of(gzipped(long_index(5000)).substr(0, 20)), ContainsSubstring("gzip"));
    CHECK(problem_of(gzipped("")) == std::string(expectation) + "gzip data of nothing");
    CHECK(problem_of(gzipped(gzipped("{}"))) ==
          std::string(expectation) + "gzip data in gzip data");
}

TEST_CASE("Blanks and a byte order mark may come first") {
    CHECK(shape("\xef\xbb\xbf \r\n\t{\"roots\": []}") == Shape::lock);
}

TEST_CASE("What the ledger doesn't take is named") {
    CHECK(problem_of(R"({"keys": {"A98A": {}}})") ==
          std::string(expectation) + "the index of a mirror's signing keys");
    CHECK(problem_of(R"({"spec": {"_meta": {"version": 2}}})") ==
          std::string(expectation) + "the spec file of one binary");
    CHECK(problem_of(R"({"schemaVersion": 2, "layers": []})") ==
          std::string(expectation) + "a manifest of an OCI layout; name the folder of that");
    CHECK(problem_of(R"({"a": 1, "b": [1, {"c": "url"}], "d": {"e": {"url": 1}}})") ==
          std::string(expectation) + "JSON with the keys a, b, d");
    CHECK(problem_of(R"({"a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "f": 1})") ==
          std::string(expectation) + "JSON with the keys a, b, c, d, e, ...");
    CHECK(problem_of(R"({"database": []})") ==
          std::string(expectation) + "JSON with the keys database");
    CHECK(problem_of(" {}") == std::string(expectation) + "an empty JSON object");
    for (const char* const text : {"[]", "[1]", R"([{"label": 1}])"}) {
        CAPTURE(text);
        CHECK(problem_of(text) == std::string(expectation) + "a JSON list");
    }
}

TEST_CASE("Specs as JSON are told by their first key, for those who take them") {
    for (const char* const text :
         {R"({"spec": {"_meta": {"version": 2}}})", R"([{"name": "zlib"}])", R"([{"hash": "a")",
          R"([{"spec": {}}])"}) {
        CAPTURE(text);
        TextBytes bytes(text);
        CHECK(read_shape(bytes, JsonOfSpecs::taken) == Shape::specs);
        CHECK(problem_of(text) != "none");
    }
}

TEST_CASE("Broken JSON says where it is broken") {
    CHECK(problem_of(R"( {"a": 1, "b": tru})") == "broken JSON at byte 19");
    CHECK_THAT(problem_of(R"({"a": 1, "b": {"c")"), ContainsSubstring("it is cut off"));
    CHECK_THAT(problem_of(R"({"a": 1, "b": tr)"), ContainsSubstring("broken JSON at byte 1"));
    CHECK_THAT(problem_of("{"), ContainsSubstring("it is cut off"));
}

TEST_CASE("A text that is cut anywhere has its shape, or is known to go on") {
    const std::string text =
        R"({"database": {"version": "8é", "installs": {"a": {"spec": [true]}}}})";
    for (std::size_t size = 0; size < text.size(); ++size) {
        CAPTURE(size);
        CHECK_FALSE(shape_of(text.substr(0, size), false).has_value());
    }
    CHECK(shape_of(text, false) == Shape::index);
}

TEST_CASE("The shape of a long text is told by its first thousands of bytes") {
    struct Counted : TextBytes {
        using TextBytes::TextBytes;
        std::size_t read(char* into, std::size_t size) override {
            const std::size_t count = TextBytes::read(into, size);
            all += count;
            return count;
        }
        std::size_t all = 0;
    };
    const std::string text = long_index(20'000);
    REQUIRE(text.size() > 2'000'000);
    Counted bytes(text);
    CHECK(read_shape(bytes) == Shape::index);
    CHECK(bytes.all <= 300'000);
}

TEST_CASE("A text that doesn't tell for long is given up") {
    const std::string text = R"({"a": ")" + std::string(20'000'000, 'x') + R"("})";
    CHECK(problem_of(text) ==
          std::string(expectation) + "JSON whose first 4 MiB do not tell what it is");
    CHECK(problem_of(std::string(5'000'000, '[')) ==
          std::string(expectation) + "JSON whose first 4 MiB do not tell what it is");
}

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

}  // namespace shape_test
