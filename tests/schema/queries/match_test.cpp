#include "schema/specs/matching/match.hpp"

#include <string>

#include "schema/specs/queries/spec_parser.hpp"
#include "tests/support/catch.hpp"

namespace match_test {

using namespace cacheledger;

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

}  // namespace match_test
