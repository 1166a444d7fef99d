#include <string>
#include <vector>

#include "schema/specs/matching/difference.hpp"
#include "schema/specs/matching/match.hpp"
#include "schema/specs/queries/asked_spec.hpp"
#include "schema/specs/queries/spec_parser.hpp"
#include "tests/support/catch.hpp"

namespace match_test {

using namespace cacheledger;
using Lines = std::vector<std::string>;

namespace {

SpecWords hdf5() {
    SpecWords spec;
    spec.package = "hdf5";
    spec.version = "1.14.3";
    spec.platform = "linux";
    spec.os = "ubuntu22.04";
    spec.target = "zen2";
    spec.compiler = "gcc@13.2.0";
    spec.variants = "api=default build_type=Release fabrics=sockets,tcp +mpi patches=9dc5fbd ~szip";
    spec.hash = "abcdefghijklmnopqrstuvwxyz234567";
    return spec;
}

Answer asks(const std::string& typed, const SpecWords& spec = hdf5()) {
    return matches(parse_spec(typed), spec);
}

/// Another one, to which others are compared.
SpecWords wanted_hdf5() {
    SpecWords spec = hdf5();
    spec.os = "rhel8";
    spec.variants = "api=default build_system=cmake ~mpi";
    spec.hash = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    return spec;
}

template <typename Change>
SpecWords hdf5_with(const Change& change) {
    SpecWords spec = wanted_hdf5();
    change(spec);
    return spec;
}

SpecWords with_variants(const std::string& variants) {
    return hdf5_with([&](SpecWords& spec) { spec.variants = variants; });
}

Lines words_to(const SpecWords& spec) {
    return difference(wanted_hdf5(), spec).words;
}

Lines words_asked(const std::string& typed, const SpecWords& spec = wanted_hdf5()) {
    return difference(parse_spec(typed), spec).words;
}

}  // namespace

TEST_CASE("A spec has what is asked of its look") {
    for (const auto* const typed : {"*",
                                    "hdf5",
                                    "@1.14",
                                    "@1.12:",
                                    "hdf5@=1.14.3",
                                    "+mpi ~szip",
                                    "mpi=true",
                                    "api=default",
                                    "api:=default",
                                    "api=*",
                                    "os=ubuntu22.04 platform=linux",
                                    "target=zen2",
                                    "target=zen:",
                                    "target=x86_64_v3:",
                                    "arch=linux-ubuntu22.04-zen2",
                                    "%gcc",
                                    "%gcc@13",
                                    "%gcc@=13.2.0",
                                    "%gcc@12:",
                                    "%c=gcc",
                                    "%*@13",
                                    "/abc",
                                    "/abcdefghijklmnopqrstuvwxyz234567"}) {
        INFO(typed);
        CHECK(asks(typed) == Answer::yes);
    }
    for (const auto* const typed : {"zlib", "@1.12", "@=1.14", "~mpi", "+szip", "+other", "api=v18",
                                    "other=*", "os=ubuntu24.04", "platform=darwin", "target=zen3",
                                    "target=zen3:", "target=aarch64:", "%gcc@12", "%clang",
                                    "%gcc@=13.2", "/abd", "hdf5+mpi %nvhpc"}) {
        INFO(typed);
        CHECK(asks(typed) == Answer::no);
    }
}

TEST_CASE("A variant with several values has those that are asked, and with := no others") {
    CHECK(asks("fabrics=tcp") == Answer::yes);
    CHECK(asks("fabrics=tcp,sockets") == Answer::yes);
    CHECK(asks("fabrics=tcp,udp") == Answer::no);
    CHECK(asks("fabrics:=tcp") == Answer::no);
    CHECK(asks("fabrics:=tcp,sockets") == Answer::yes);
    CHECK(asks("fabrics:=*") == Answer::yes);
    SpecWords none = hdf5();
    none.variants = "fabrics=*";
    CHECK(asks("fabrics:=*", none) == Answer::yes);
    CHECK(asks("fabrics=*", none) == Answer::yes);
    CHECK(asks("fabrics=tcp", none) == Answer::no);
}

TEST_CASE("A variant for all dependencies is asked where there is one") {
    CHECK(asks("++mpi") == Answer::yes);
    CHECK(asks("~~mpi") == Answer::no);
    CHECK(asks("++other") == Answer::yes);
    CHECK(asks("fabrics==tcp") == Answer::yes);
    CHECK(asks("fabrics==udp") == Answer::no);
    CHECK(asks("other==udp") == Answer::yes);
}

TEST_CASE("A patch is asked by the beginning of its hash") {
    CHECK(asks("patches=9dc") == Answer::yes);
    CHECK(asks("patches=9dc5fbd6d5f8d1e8bd2ef0b3e0a5b2d9") == Answer::yes);
    CHECK(asks("patches=9dd") == Answer::no);
    CHECK(asks("patches:=9dc") == Answer::yes);
    SpecWords node = hdf5();
    node.variants = "+mpi";
    CHECK(asks("patches=9dc", node) == Answer::no);
    node.patches = "1234567 9dc5fbd";
    CHECK(asks("patches=9dc", node) == Answer::yes);
    CHECK(asks("patches:=9dc", node) == Answer::no);
}

TEST_CASE("An old name of a compiler asks for the new one") {
    SpecWords spec = hdf5();
    spec.compiler = "llvm@17.0.6";
    CHECK(asks("%clang@17", spec) == Answer::yes);
    CHECK(asks("%llvm@17", spec) == Answer::yes);
    spec.compiler = "intel-oneapi-compilers@2024.2.1";
    CHECK(asks("%oneapi@2024.2", spec) == Answer::yes);
    CHECK(asks("%intel", spec) == Answer::no);
}

TEST_CASE("What no source said of a spec is unknown") {
    SpecWords spec;
    spec.package = "hdf5";
    spec.hash = hdf5().hash;
    for (const auto* const typed : {"@1.14", "+mpi", "os=rhel8", "target=zen2:", "%gcc@13", "%gcc",
                                    "cflags=-O2", "builtin.hdf5", "patches=9dc", "^zlib"}) {
        INFO(typed);
        CHECK(asks(typed, spec) == Answer::unknown);
    }
    CHECK(asks("hdf5 /abc", spec) == Answer::yes);
    CHECK(asks("zlib +mpi", spec) == Answer::no);
    spec.compiler = "gcc";
    CHECK(asks("%gcc", spec) == Answer::yes);
    CHECK(asks("%gcc@13", spec) == Answer::unknown);
}

TEST_CASE("A spec shows no dependency but its compiler") {
    CHECK(asks("^zlib") == Answer::unknown);
    CHECK(asks("%cmake") == Answer::unknown);
    CHECK(asks("%mpi=openmpi") == Answer::unknown);
    CHECK(asks("%c=gcc+binutils") == Answer::no);
    CHECK(asks("%c=gcc@12+binutils") == Answer::no);
    CHECK(asks("~mpi ^zlib") == Answer::no);
}

TEST_CASE("Flags and the namespace are asked where the node of a spec says them") {
    SpecWords node = hdf5();
    node.name_space = "builtin";
    node.flags = "cflags=-O2 -g cxxflags=-O3";
    CHECK(asks("cflags='-g -O2'", node) == Answer::yes);
    CHECK(asks("cflags=-g", node) == Answer::yes);
    CHECK(asks("cxxflags=-g", node) == Answer::no);
    CHECK(asks("fflags=-g", node) == Answer::no);
    CHECK(asks("builtin.hdf5", node) == Answer::yes);
    CHECK(asks("namespace=site", node) == Answer::no);
    node.flags = "";
    CHECK(asks("cflags=-g", node) == Answer::no);
}

TEST_CASE("A spec satisfies another one if all that matches it matches the other") {
    struct Case {
        const char* spec;
        const char* asked;
        Answer answer;
    };
    const std::vector<Case> cases = {
        {"hdf5", "hdf5", Answer::yes},
        {"hdf5", "zlib", Answer::no},
        {"hdf5+mpi", "+mpi", Answer::yes},
        {"hdf5", "+mpi", Answer::no},
        {"hdf5~mpi", "+mpi", Answer::no},
        {"hdf5 api=a,b", "api=a", Answer::yes},
        {"hdf5@1.14.3", "@1.14", Answer::yes},
        {"hdf5@1.14", "@1.14.3", Answer::no},
        {"hdf5@1.14", "@:1.14.3", Answer::no},
        {"hdf5@1.14", "@:1.14", Answer::yes},
        {"hdf5@=1.14", "@:1.14.3", Answer::yes},
        {"hdf5", "@1.14", Answer::no},
        {"hdf5@1.12:1.14", "@1.10:", Answer::yes},
        {"hdf5@1.12:1.14", "@1.13:", Answer::no},
        {"hdf5@1.12:", "@1.10:", Answer::unknown},
        {"hdf5 target=zen4", "target=x86_64_v3:", Answer::yes},
        {"hdf5 target=zen4", "target=zen3", Answer::no},
        {"hdf5", "target=zen4", Answer::no},
        {"hdf5 os=rhel9", "os=rhel9", Answer::yes},
        {"hdf5 cflags='-O2 -g'", "cflags=-g", Answer::yes},
        {"hdf5 %gcc@12.3", "%gcc@12", Answer::yes},
        {"hdf5 %gcc@11", "%gcc@12", Answer::no},
        {"hdf5 ^mpich+x", "^mpich", Answer::yes},
        {"hdf5 ^mpich", "%mpich", Answer::no},
        {"hdf5 ^mpich", "^openmpi", Answer::no},
        {"hdf5 ^mpich", "^mpi", Answer::unknown},
        {"hdf5", "^mpi", Answer::no},
    };
    for (const Case& one : cases) {
        INFO(one.spec << " and " << one.asked);
        CHECK(satisfies(parse_spec(one.spec), parse_spec(one.asked)) == one.answer);
    }
}

TEST_CASE("Texts about one spec are joined to one spec, or contradict each other") {
    struct Case {
        std::vector<std::string> parts;
        const char* text;
    };
    const std::vector<Case> cases = {
        {{"  hdf5\n +mpi "}, "hdf5 +mpi"},
        {{"hdf5", "+mpi", "^zlib"}, "hdf5 +mpi ^zlib"},
        {{"hdf5 ^zlib", "+mpi"}, "hdf5 +mpi ^zlib"},
        {{"hdf5 ^zlib", "@1.14"}, "hdf5@1.14 ^zlib"},
        {{"hdf5 cflags=-O2", "cflags=-g"}, "hdf5 cflags=-O2 cflags=-g"},
        {{"hdf5+a", "+a"}, "hdf5 +a"},
        {{"hdf5@1.14:", "@:1.15"}, "hdf5@1.14:1.15"},
        {{"hdf5@1.14:", "@=1.12"}, "'hdf5@1.14: @=1.12' asks for two versions, 1.14: and =1.12"},
        {{"hdf5", "zlib"}, "'hdf5 zlib' asks for two packages, hdf5 and zlib"},
        {{"hdf5 os=a", "os=b"}, "'hdf5 os=a os=b' asks for two operating systems, a and b"},
    };
    for (const Case& one : cases) {
        INFO(one.text);
        std::string text;
        try {
            const JoinedSpec joined = joined_spec(one.parts);
            CHECK(parse_spec(joined.text) == joined.query);
            text = joined.text;
        } catch (const std::invalid_argument& error) {
            text = error.what();
        }
        CHECK(text == one.text);
    }
}

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
    SpecWords wanted = wanted_hdf5();
    wanted.package_hash = "x====";
    wanted.flags = "";
    Difference before = difference(wanted, wanted_hdf5());
    CHECK(before.words.empty());
    for (const SpecWords& spec : ordered) {
        const Difference next = difference(wanted, spec);
        INFO(next.words.at(0));
        CHECK(before < next);
        before = next;
    }
}

TEST_CASE("Of specs that are as near, the one with the smaller hash is nearest") {
    SpecWords other = wanted_hdf5();
    other.hash[0] = 'b';
    CHECK(difference(wanted_hdf5(), wanted_hdf5()) < difference(wanted_hdf5(), other));
}

TEST_CASE("A difference is said in words, from what is wanted to what is there") {
    CHECK(words_to(wanted_hdf5()).empty());
    CHECK(words_to(with_variants("api=v18 build_system=cmake +mpi")) ==
          Lines{"api: default -> v18", "+mpi"});
    CHECK(words_to(with_variants("api=default build_system=autotools ~mpi fabrics=tcp,udp")) ==
          Lines{"build_system: cmake -> autotools", "fabrics: (none) -> tcp,udp"});
    CHECK(words_to(with_variants("api=default build_system=cmake")) ==
          Lines{"mpi: false -> (none)"});
    SpecWords spec = wanted_hdf5();
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
    spec.hash = wanted_hdf5().hash;
    CHECK(words_to(spec).empty());
    CHECK(difference(spec, wanted_hdf5()).words.empty());
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
    SpecWords wanted = wanted_hdf5();
    wanted.flags = "";
    wanted.package_hash = "x====";
    SpecWords spec = with_variants("api=default build_system=cmake ~mpi patches=1234567");
    spec.flags = "cflags=-g";
    spec.package_hash = "y====";
    CHECK(difference(wanted, spec).words ==
          Lines{"flags: (none) -> cflags=-g", "patches", "recipe"});
    // Patches may be among the variants, or apart from them.
    SpecWords apart = wanted_hdf5();
    apart.patches = "1234567";
    CHECK(difference(spec, apart).words.empty());
}

TEST_CASE("Where a spec comes from is said, but makes no distance") {
    SpecWords wanted = wanted_hdf5();
    wanted.name_space = "builtin";
    wanted.external = "/usr";
    wanted.spliced = "no";
    SpecWords spec = wanted_hdf5();
    spec.name_space = "site";
    spec.external = "no";
    spec.spliced = "abcdefg";
    CHECK(difference(wanted, spec).words ==
          Lines{"namespace: builtin -> site", "external: /usr -> no", "spliced: no -> abcdefg"});
    CHECK(difference(wanted, spec) == difference(wanted, wanted_hdf5()));
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
    SpecWords spec = wanted_hdf5();
    spec.compiler.reset();
    const Difference unknown = difference(parse_spec("hdf5 cflags=-O2 %gcc@13"), spec);
    CHECK(unknown.words == Lines{"compiler: gcc@13 -> not known", "cflags: -O2 -> not known"});
    CHECK(unknown.distance == Difference{}.distance);
    CHECK(words_asked("hdf5 %openmpi@5 ^zlib@1.3") ==
          Lines{"%openmpi@5: dependencies are not known", "^zlib@1.3: dependencies are not known"});
}

}  // namespace match_test
