#include "schema/specs/matching/match.hpp"

#include <string>
#include <vector>

#include "schema/specs/queries/asked_spec.hpp"
#include "schema/specs/queries/spec_parser.hpp"
#include "tests/support/catch.hpp"

namespace satisfies_test {

using namespace cacheledger;

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

}  // namespace satisfies_test
