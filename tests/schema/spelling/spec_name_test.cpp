#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "schema/ledger/file/migration.hpp"
#include "schema/specs/spelling/compiler.hpp"
#include "schema/specs/spelling/deptypes.hpp"
#include "schema/specs/spelling/package_name.hpp"
#include "schema/specs/spelling/spec_name.hpp"
#include "schema/specs/spelling/variants.hpp"
#include "schema/sqlite/statements/rows.hpp"
#include "tests/support/catch.hpp"

namespace spec_name_test {

using namespace cacheledger;
using Catch::Matchers::Message;
using Texts = std::vector<std::string_view>;

namespace {

std::string canonical_compiler(const std::string& printed) {
    const auto compiler = parse_compiler(printed);
    return compiler ? compiler->spec : "(none)";
}

std::string canonical(const std::vector<std::string_view>& printed) {
    return parse_variants(printed).text;
}

std::vector<std::string> values_of(std::string_view printed) {
    return parse_variants({printed}).variants.at(0).values;
}

}  // namespace

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

TEST_CASE("Names of packages have letters, digits, '_' and '-' only") {
    for (const char* const name :
         {"zlib", "py-numpy", "7zip", "_x", "R", "intel-oneapi-mkl", "a-"}) {
        CAPTURE(name);
        CHECK(is_package_name(name));
    }
    for (const char* const name : {"", "-x", "a b", "a.b", "a/b", "a\n", "a\x1b[31m",
                                   "a\xe2\x80\xae", "\xc3\xa4", "a@1", "<b>", "../a", "\x7f"}) {
        CAPTURE(name);
        CHECK_FALSE(is_package_name(name));
    }
    CHECK_FALSE(is_package_name(std::string_view("a\0b", 3)));
}

TEST_CASE("A compiler is a name and a version") {
    const auto compiler = parse_compiler("gcc@13.2.0");
    REQUIRE(compiler);
    CHECK(compiler->name == "gcc");
    CHECK(compiler->version == "13.2.0");
    CHECK(compiler->spec == "gcc@13.2.0");
}

TEST_CASE("Every spelling of a compiler is one compiler") {
    for (const auto* printed :
         {"gcc@13.2.0", "gcc@=13.2.0", "gcc@13.2.0/abcdefg", "gcc@=13.2.0/abcdefg"}) {
        CHECK(canonical_compiler(printed) == "gcc@13.2.0");
    }
}

TEST_CASE("Compilers have the names of packages") {
    CHECK(canonical_compiler("clang@15.0.0") == "llvm@15.0.0");
    CHECK(canonical_compiler("oneapi@=2024.2.1") == "intel-oneapi-compilers@2024.2.1");
    CHECK(canonical_compiler("rocmcc@5.1") == "llvm-amdgpu@5.1");
    CHECK(canonical_compiler("intel@2021.7") == "intel-oneapi-compilers-classic@2021.7");
    CHECK(canonical_compiler("intel-oneapi-compiler-classic@2021.7") ==
          "intel-oneapi-compilers-classic@2021.7");
    CHECK(canonical_compiler("arm@23.04") == "acfl@23.04");
    for (const auto* unchanged : {"apple-clang@16.0.0", "llvm@15.0.0", "llvm-amdgpu@6.3.0",
                                  "intel-oneapi-compilers@2025.1", "cce@17", "nvhpc@24.1"}) {
        CHECK(canonical_compiler(unchanged) == unchanged);
    }
}

TEST_CASE("A spec may have no compiler, and a compiler no version") {
    CHECK(canonical_compiler("none") == "(none)");
    const auto compiler = parse_compiler("clang");
    REQUIRE(compiler);
    CHECK(compiler->spec == "llvm");
    CHECK_FALSE(compiler->version);
}

TEST_CASE("What can't be a compiler is refused") {
    for (const std::string printed : {"", "@13.2.0", "/abcdefg"}) {
        CHECK_THROWS_MATCHES(
            parse_compiler(printed), std::invalid_argument,
            Message("expected a compiler like gcc@13.2.0 or none, found '" + printed + "'"));
    }
    for (const std::string printed : {"gcc@", "gcc@=", "gcc@/abcdefg"}) {
        CHECK_THROWS_MATCHES(
            parse_compiler(printed), std::invalid_argument,
            Message("expected a version behind '@' in compiler '" + printed + "'"));
    }
}

TEST_CASE("Deptypes: texts are by name, and other words are no type") {
    CHECK(text_of_deptypes(dep_test | dep_run | dep_link | dep_build) == "build,link,run,test");
    CHECK(text_of_deptypes(0).empty());
    CHECK(deptypes_of("run,build") == (dep_build | dep_run));
    CHECK(deptypes_of("test") == dep_test);
    CHECK(deptypes_of("include,link") == dep_link);
    CHECK(deptypes_of("") == 0);
    CHECK(find_deptype("builds") == nullptr);
}

TEST_CASE("Deptypes: what a hash covers is the same in C++ as in the view edge_kinds") {
    SQLite::Database database(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    migrate(database);
    constexpr std::uint8_t all = dep_build | dep_link | dep_run | dep_test;
    for (std::uint8_t types = 1; types <= all; ++types) {
        database.exec("INSERT INTO edge_kind (deptypes) VALUES ('" + text_of_deptypes(types) +
                      "')");
    }
    int kinds = 0;
    for (const auto& [text, since] :
         rows<std::string, int>(database, "SELECT deptypes, since FROM edge_kinds")) {
        INFO(text);
        ++kinds;
        const std::uint8_t types = deptypes_of(text);
        CHECK(text_of_deptypes(types) == text);
        CHECK(hashed_since(types) == since);
        for (std::uint8_t form = 1; form <= 6; ++form) {
            CHECK((hashed_deptypes(form, types) != 0) == (since <= form));
        }
    }
    CHECK(kinds == all);
    CHECK(hashed_deptypes(2, all) == (dep_link | dep_run));
    CHECK(hashed_deptypes(4, all) == (dep_build | dep_link | dep_run));
    CHECK(hashed_deptypes(5, all) == all);
}

TEST_CASE("Variants are printed in the order of their names") {
    const VariantSet set = parse_variants({"~ipo", "+mpi", "build_type=Release"});
    CHECK(set.text == "build_type=Release ~ipo +mpi");
    REQUIRE(set.variants.size() == 3);
    CHECK(set.variants[1].name == "ipo");
    CHECK(set.variants[1].values == std::vector<std::string>{"false"});
    CHECK(set.variants[2].values == std::vector<std::string>{"true"});
    CHECK(canonical({"+mpi", "build_type=Release", "~ipo"}) == set.text);
    CHECK(canonical({}) == "");
}

TEST_CASE("Every spelling of a boolean variant is one variant") {
    for (const auto* printed :
         {"+mpi", "++mpi", "mpi=True", "mpi=true", "mpi==TRUE", "mpi:=true"}) {
        CHECK(canonical({printed}) == "+mpi");
    }
    for (const auto* printed : {"~mpi", "~~mpi", "-mpi", "mpi=False", "mpi:=false"}) {
        CHECK(canonical({printed}) == "~mpi");
    }
}

TEST_CASE("The separator means nothing") {
    for (const auto* printed : {"cuda_arch=80", "cuda_arch:=80", "cuda_arch==80", "cuda_arch:==80",
                                "cuda_arch='80'", "cuda_arch=\"80\""}) {
        CHECK(canonical({printed}) == "cuda_arch=80");
    }
}

TEST_CASE("The order of values means nothing, nor do repeated ones") {
    CHECK(canonical({"fabrics=udp,sockets,tcp,udp"}) == "fabrics=sockets,tcp,udp");
    CHECK(values_of("fabrics:=udp,tcp") == std::vector<std::string>{"tcp", "udp"});
    CHECK(canonical({"cuda_arch=90", "cuda_arch=80"}) == "cuda_arch=80,90");
    CHECK(canonical({"+mpi", "+mpi"}) == "+mpi");
}

TEST_CASE("Quotes are set where Spack sets them") {
    CHECK(canonical({"languages:='c,c++,fortran'"}) == "languages='c,c++,fortran'");
    CHECK(values_of("languages='c,c++'") == std::vector<std::string>{"c", "c++"});
    CHECK(canonical({R"(flags="it's")"}) == R"(flags="it's")");
    CHECK(values_of(R"(flags="a\"b")") == std::vector<std::string>{"a\"b"});
    CHECK(canonical({"path=/a_b/c-d.e"}) == "path=/a_b/c-d.e");
    CHECK(canonical({"note='a=b c'"}) == "note='a=b c'");
    CHECK(canonical({"note="}) == "note=''");
}

TEST_CASE("A variant without any value has the value *") {
    CHECK(canonical({"fabrics:=*"}) == "fabrics=*");
    CHECK(values_of("fabrics:=*") == std::vector<std::string>{"*"});
}

TEST_CASE("Patches compare by seven digits") {
    const std::string full = "patches=" + std::string("5c7a3c0") + std::string(57, '1');
    CHECK(canonical({full}) == "patches=5c7a3c0");
    CHECK(canonical({"patches:=5c7a3c0"}) == "patches=5c7a3c0");
    CHECK(canonical({"patches=bfdffa7,9dc5fbd"}) == "patches=9dc5fbd,bfdffa7");
    CHECK(canonical({"other=5c7a3c0111"}) == "other=5c7a3c0111");
}

TEST_CASE("What can't be a variant is refused") {
    for (const std::string printed : {"", "mpi", "+", "~", "=x", ":=x", "a b=x", "+a b", "++"}) {
        CHECK_THROWS_MATCHES(
            parse_variants({printed}), std::invalid_argument,
            Message("expected a variant like +name, ~name or name=value, found '" + printed + "'"));
    }
    CHECK_THROWS_MATCHES(parse_variants({"+mpi", "~mpi"}), std::invalid_argument,
                         Message("variant 'mpi' is given as a boolean and as something else"));
}

TEST_CASE("A canonical variant reads back as itself") {
    for (const auto* printed : {"+mpi", "note='a b'", R"(flags="it's")", "k=''", "fabrics=*",
                                R"(q="a'\"b")", "languages='c,c++'"}) {
        const std::string once = canonical({printed});
        CHECK(canonical({once}) == once);
    }
}

TEST_CASE("Variants of spec files are the same as printed ones") {
    const auto given = [](const std::string& name, const std::vector<std::string>& values) {
        return make_variants({{name, values}}).text;
    };
    CHECK(given("mpi", {"true"}) == canonical({"+mpi"}));
    CHECK(given("mpi", {"False"}) == canonical({"~mpi"}));
    CHECK(given("build_type", {"Release"}) == canonical({"build_type=Release"}));
    CHECK(given("fabrics", {"udp", "tcp", "udp"}) == canonical({"fabrics=tcp,udp"}));
    CHECK(given("fabrics", {"udp,tcp"}) == canonical({"fabrics=tcp,udp"}));
    CHECK(given("languages", {"c", "c++"}) == canonical({"languages='c,c++'"}));
    CHECK(given("libs", {}) == canonical({"libs="}));
    CHECK(given("patches", {"5c7a3c0" + std::string(57, '1')}) == canonical({"patches=5c7a3c0"}));
    CHECK(make_variants({{"mpi", {"true"}}, {"ipo", {"false"}}}).text ==
          canonical({"+mpi", "~ipo"}));
    CHECK(make_variants({}).text == "");
}

TEST_CASE("Variants of spec files that can't be are refused") {
    CHECK_THROWS_MATCHES(make_variants({{"a b", {"x"}}}), std::invalid_argument,
                         Message("expected the name of a variant, found 'a b'"));
    CHECK_THROWS_MATCHES(make_variants({{"mpi", {"true", "x"}}}), std::invalid_argument,
                         Message("variant 'mpi' is given as a boolean and as something else"));
}

}  // namespace spec_name_test
