#include "schema/specs/spelling/spec_name.hpp"

#include <string>
#include <vector>

#include "tests/support/catch.hpp"

namespace spec_name_test {

using namespace cacheledger;
using Texts = std::vector<std::string_view>;

TEST_CASE("A printed spec says its attributes") {
    const SpecName name = parse_spec_name(
        "gcc@=7.3.0%gcc@4.8.5~binutils+strip languages=c,c++ patches=51aebe8 arch=linux-rhel7-ppc64"
        " /abcdefg ^zlib@1.2.11%gcc@4.8.5+pic arch=linux-rhel8-x86_64/bbbbbbb");
    CHECK(name.package == "gcc");
    CHECK(name.version == "7.3.0");
    CHECK(name.compiler == "gcc@4.8.5");
    CHECK(name.variants == Texts{"~binutils", "+strip", "languages=c,c++", "patches=51aebe8"});
    CHECK(name.arch == "linux-rhel7-ppc64");
    CHECK(name.hash == "abcdefg");
    CHECK(name.text.ends_with(" /abcdefg"));
}

TEST_CASE("What a printed spec does not say is missing") {
    const SpecName name = parse_spec_name("zlib");
    CHECK(name.package == "zlib");
    CHECK_FALSE(name.version);
    CHECK_FALSE(name.compiler);
    CHECK(name.variants.empty());
    CHECK_FALSE(name.arch);
    CHECK_FALSE(name.hash);
    CHECK(parse_spec_name("").package.empty());
}

TEST_CASE("Compiler flags and the namespace are no variants of a printed spec") {
    const SpecName name = parse_spec_name(
        "zlib@1.0%gcc@9 cflags=\"-O3 +x /y ^z\"  cxxflags='-g ~w' ldlibs==-lm namespace=builtin "
        "ldflags=\"open +v os=linux");
    CHECK(name.variants == Texts{"+v"});
    CHECK(name.os == "linux");
    CHECK(name.text.ends_with("os=linux"));
}

TEST_CASE("Variants of a printed spec are told apart, glued or not") {
    CHECK(parse_spec_name("a+x~y++z -w-v k=a+b l='c d' m=\"e \\\" f\" n==o").variants ==
          Texts{"+x", "~y", "++z", "-w-v", "k=a+b", "l='c d'", "m=\"e \\\" f\"", "n==o"});
    CHECK(parse_spec_name("a@1.0-rc0 what + ").variants == Texts{"what", "+"});
}

TEST_CASE("A compiler behind a blank is that of a printed spec, unless it is for a language") {
    const SpecName old_form = parse_spec_name("zlib@1.0 +pic %gcc@9 arch=linux-rhel7-x86_64");
    CHECK(old_form.compiler == "gcc@9");
    CHECK(old_form.arch == "linux-rhel7-x86_64");
    const SpecName new_form = parse_spec_name(
        "zlib@1.0+pic platform=linux os=rhel7 target=x86_64 %c,cxx=gcc@12+bootstrap target=arm");
    CHECK_FALSE(new_form.compiler);
    CHECK(new_form.variants == Texts{"+pic"});
    CHECK(new_form.platform == "linux");
    CHECK(new_form.target == "x86_64");
    CHECK(new_form.text.ends_with("target=x86_64"));
}

TEST_CASE("A version from git may hold what else begins a hash") {
    CHECK(parse_spec_name("zlib@git.a/b=1.0+x").version == "git.a/b=1.0");
    CHECK(parse_spec_name("zlib@1.0/abc+x").version == "1.0");
    CHECK(parse_spec_name("zlib@1.0/abc+x").hash == "abc");
}

}  // namespace spec_name_test
