#include "schema/specs/matching/difference.hpp"

#include <string>
#include <vector>

#include "schema/specs/queries/spec_parser.hpp"
#include "tests/support/catch.hpp"

namespace difference_test {

using namespace cacheledger;
using Lines = std::vector<std::string>;

namespace {

SpecWords hdf5() {
    SpecWords spec;
    spec.package = "hdf5";
    spec.version = "1.14.3";
    spec.platform = "linux";
    spec.os = "rhel8";
    spec.target = "zen2";
    spec.compiler = "gcc@13.2.0";
    spec.variants = "api=default build_system=cmake ~mpi";
    spec.hash = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    return spec;
}

template <typename Change>
SpecWords hdf5_with(const Change& change) {
    SpecWords spec = hdf5();
    change(spec);
    return spec;
}

SpecWords with_variants(const std::string& variants) {
    return hdf5_with([&](SpecWords& spec) { spec.variants = variants; });
}

Lines words_to(const SpecWords& spec) {
    return difference(hdf5(), spec).words;
}

Lines words_asked(const std::string& typed, const SpecWords& spec = hdf5()) {
    return difference(parse_spec(typed), spec).words;
}

}  // namespace

TEST_CASE("The nearest spec differs in what counts least") {
    // Each is nearer than all below it.
    const std::vector<SpecWords> ordered = {
        hdf5_with([](SpecWords& spec) { spec.package_hash = "y===="; }),
        hdf5_with([](SpecWords& spec) { spec.flags = "cflags=-g"; }),
        hdf5_with([](SpecWords& spec) { spec.compiler = "gcc@12.3.0"; }),
        with_variants("api=default build_system=cmake +mpi"),
        with_variants("api=v18 build_system=cmake +mpi"),
        hdf5_with([](SpecWords& spec) { spec.version = "1.14.4"; }),
        hdf5_with([](SpecWords& spec) { spec.target = "x86_64_v3"; }),
        hdf5_with([](SpecWords& spec) { spec.target = "zen3"; }),
        hdf5_with([](SpecWords& spec) { spec.os = "rhel9"; }),
        hdf5_with([](SpecWords& spec) { spec.target = "aarch64"; }),
    };
    SpecWords wanted = hdf5();
    wanted.package_hash = "x====";
    wanted.flags = "";
    Difference before = difference(wanted, hdf5());
    CHECK(before.words.empty());
    for (const SpecWords& spec : ordered) {
        const Difference next = difference(wanted, spec);
        INFO(next.words.at(0));
        CHECK(before < next);
        before = next;
    }
}

TEST_CASE("Of specs that are as near, the one with the smaller hash is nearest") {
    SpecWords other = hdf5();
    other.hash[0] = 'b';
    CHECK(difference(hdf5(), hdf5()) < difference(hdf5(), other));
}

TEST_CASE("A difference is said in words, from what is wanted to what is there") {
    CHECK(words_to(hdf5()).empty());
    CHECK(words_to(with_variants("api=v18 build_system=cmake +mpi")) ==
          Lines{"api: default -> v18", "+mpi"});
    CHECK(words_to(with_variants("api=default build_system=autotools ~mpi fabrics=tcp,udp")) ==
          Lines{"build_system: cmake -> autotools", "fabrics: (none) -> tcp,udp"});
    CHECK(words_to(with_variants("api=default build_system=cmake")) ==
          Lines{"mpi: false -> (none)"});
    SpecWords spec = hdf5();
    spec.platform = "darwin";
    spec.os = "sequoia";
    spec.target = "m1";
    spec.version = "1.12";
    spec.compiler = "apple-clang@16";
    CHECK(words_to(spec) == Lines{"platform: linux -> darwin", "os: rhel8 -> sequoia",
                                  "target: zen2 -> m1 (another family)", "version: 1.14.3 -> 1.12",
                                  "compiler: gcc@13.2.0 -> apple-clang@16"});
}

TEST_CASE("What no source said matches everything") {
    SpecWords spec;
    spec.package = "hdf5";
    spec.hash = hdf5().hash;
    CHECK(words_to(spec).empty());
    CHECK(difference(spec, hdf5()).words.empty());
    CHECK(words_to(with_variants("api=default ~mpi")).empty());  // no build_system
}

TEST_CASE("Of another target it is said whether it can run where it is wanted") {
    const auto target = [](const char* name) {
        return words_to(hdf5_with([&](SpecWords& spec) { spec.target = name; }));
    };
    CHECK(target("x86_64_v3") == Lines{"target: zen2 -> x86_64_v3"});
    CHECK(target("zen3") == Lines{"target: zen2 -> zen3 (may not run there)"});
    CHECK(target("zen99") == Lines{"target: zen2 -> zen99 (may not run there)"});
    CHECK(target("aarch64") == Lines{"target: zen2 -> aarch64 (another family)"});
    CHECK(words_asked("hdf5 target=zen4") == Lines{"target: zen4 -> zen2"});
    CHECK(words_asked("hdf5 target=x86_64_v3") ==
          Lines{"target: x86_64_v3 -> zen2 (may not run there)"});
    CHECK(words_asked("hdf5 target=:ppc64le,aarch64") ==
          Lines{"target: :ppc64le,aarch64 -> zen2 (another family)"});
}

TEST_CASE("Flags differ with their text, patches and the recipe without it") {
    SpecWords wanted = hdf5();
    wanted.flags = "";
    wanted.package_hash = "x====";
    SpecWords spec = with_variants("api=default build_system=cmake ~mpi patches=1234567");
    spec.flags = "cflags=-g";
    spec.package_hash = "y====";
    CHECK(difference(wanted, spec).words ==
          Lines{"flags: (none) -> cflags=-g", "patches", "recipe"});
    // Patches may be among the variants, or apart from them.
    SpecWords apart = hdf5();
    apart.patches = "1234567";
    CHECK(difference(spec, apart).words.empty());
}

TEST_CASE("Where a spec comes from is said, but makes no distance") {
    SpecWords wanted = hdf5();
    wanted.name_space = "builtin";
    wanted.external = "/usr";
    wanted.spliced = "no";
    SpecWords spec = hdf5();
    spec.name_space = "site";
    spec.external = "no";
    spec.spliced = "abcdefg";
    CHECK(difference(wanted, spec).words ==
          Lines{"namespace: builtin -> site", "external: /usr -> no", "spliced: no -> abcdefg"});
    CHECK(difference(wanted, spec) == difference(wanted, hdf5()));
}

TEST_CASE("A query differs from a spec in what the spec does not have") {
    CHECK(words_asked("hdf5@1.14 ~mpi os=rhel8 %gcc@13").empty());
    CHECK(words_asked("hdf5@1.12: +mpi api=v18 zfp=* target=zen3: os=rhel9 %clang@17") ==
          Lines{"os: rhel9 -> rhel8", "target: zen3: -> zen2", "api: v18 -> default", "~mpi",
                "zfp: * -> (none)", "compiler: llvm@17 -> gcc@13.2.0"});
    CHECK(words_asked("hdf5@:1.12") == Lines{"version: :1.12 -> 1.14.3"});
    CHECK(words_asked("hdf5 cflags=-O2 ldflags=-s", hdf5_with([](SpecWords& spec) {
                          spec.flags = "cflags=-O3 -g cxxflags=-O2";
                      })) == Lines{"cflags: -O2 -> -O3 -g", "ldflags: -s -> (none)"});
    CHECK(words_asked("hdf5 patches=123") == Lines{"patches: 123 -> (none)"});
    CHECK(words_asked("hdf5/abc") == Lines{"hash: abc -> aaa"});
}

TEST_CASE("What a query asks and nobody knows is said, but is no distance") {
    SpecWords spec = hdf5();
    spec.compiler.reset();
    const Difference unknown = difference(parse_spec("hdf5 cflags=-O2 %gcc@13"), spec);
    CHECK(unknown.words == Lines{"compiler: gcc@13 -> not known", "cflags: -O2 -> not known"});
    CHECK(unknown.distance == Difference{}.distance);
    CHECK(words_asked("hdf5 %openmpi@5 ^zlib@1.3") ==
          Lines{"%openmpi@5: dependencies are not known", "^zlib@1.3: dependencies are not known"});
}

}  // namespace difference_test
