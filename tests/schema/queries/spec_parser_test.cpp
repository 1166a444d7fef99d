#include "schema/specs/queries/spec_parser.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/catch.hpp"

namespace spec_parser_test {

using namespace cacheledger;
using Strings = std::vector<std::string>;

namespace {

std::string problem_with(const std::string& typed) {
    try {
        parse_spec(typed);
    } catch (const SpecError& error) {
        return std::string(error.what()).substr(typed.size() + std::string("spec '', ").size());
    }
    return "none";
}

}  // namespace

// Most are from the documentation and the tests of Spack.
TEST_CASE("A spec that is typed has one canonical spelling") {
    const std::vector<std::pair<std::string, std::string>> spellings = {
        // clang-format off
        {R"(mvapich)", R"(mvapich)"},
        {R"(_mvapich_foo)", R"(_mvapich_foo)"},
        {R"(3dtk)", R"(3dtk)"},
        {R"(ns-3-dev)", R"(ns-3-dev)"},
        {R"(@2.7)", R"(@2.7)"},
        {R"(@2.7:)", R"(@2.7:)"},
        {R"(@:2.7)", R"(@:2.7)"},
        {R"(+foo)", R"(+foo)"},
        {R"(~foo)", R"(~foo)"},
        {R"(-foo)", R"(~foo)"},
        {R"(platform=test)", R"(platform=test)"},
        {R"(%intel)", R"(%intel-oneapi-compilers-classic)"},
        {R"(languages=go @4.2:)", R"(@4.2: languages=go)"},
        {R"(@4.2:     languages=go)", R"(@4.2: languages=go)"},
        {R"(^zlib)", R"(^zlib)"},
        {R"(openmpi ^hwloc)", R"(openmpi ^hwloc)"},
        {R"(openmpi      ^hwloc^libunwind)", R"(openmpi ^hwloc ^libunwind)"},
        {R"(foo @2.0 %bar@1.0)", R"(foo@2.0 %bar@1.0)"},
        {R"(openmpi ^hwloc@1.2e6:1.4b7-rc3)", R"(openmpi ^hwloc@1.2e6:1.4b7-rc3)"},
        {R"(mvapich_foo ^_openmpi@1.2:1.4,1.6+debug~qt_4 %intel@12.1 ^stackwalker@8.1_1e)", R"(mvapich_foo ^_openmpi@1.2:1.4,1.6 +debug ~qt_4 %intel-oneapi-compilers-classic@12.1 ^stackwalker@8.1_1e)"},
        {R"(mvapich_foo ^_openmpi@1.2:1.4,1.6 cppflags=-O3 +debug~qt_4 ^stackwalker)", R"(mvapich_foo ^_openmpi@1.2:1.4,1.6 cppflags=-O3 +debug ~qt_4 ^stackwalker)"},
        {R"(builtin.yaml-cpp@0.1.8%gcc@7.2.0 ^testrepo.boost@3.1.4)", R"(builtin.yaml-cpp@0.1.8 %gcc@7.2.0 ^testrepo.boost@3.1.4)"},
        {R"(builtin.mock.mpich)", R"(builtin_mock.mpich)"},
        {R"(namespace=spack_repo.builtin)", R"(namespace=builtin)"},
        {R"(namespace=builtin)", R"(namespace=builtin)"},
        {R"(y~f+e~d+c~b+a)", R"(y +a ~b +c ~d +e ~f)"},
        {R"(@:)", R"(*)"},
        {R"(*)", R"(*)"},
        {R"(^* foo=bar)", R"(^*foo=bar)"},
        {R"(%*+foo)", R"(%*+foo)"},
        {R"(@1.6,1.2:1.4)", R"(@1.2:1.4,1.6)"},
        {R"(@1.2:1.4 , 1.6 )", R"(@1.2:1.4,1.6)"},
        {R"(develop-branch@abc12abc12abc12abc12abc12abc12abc12abc12=develop)", R"(develop-branch@abc12abc12abc12abc12abc12abc12abc12abc12=develop)"},
        {R"(develop-branch@git.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa=develop+var1)", R"(develop-branch@git.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa=develop +var1)"},
        {R"(git-test@git.foo/bar)", R"(git-test@git.foo/bar)"},
        {R"(git-test@git.foo/bar=1.2:1.3)", R"(git-test@git.foo/bar=1.2:1.3)"},
        {R"(git-test@git.main,1.2:1.3,git.foo=1:2)", R"(git-test@1.2:1.3,git.main,git.foo=1:2)"},
        {R"(_openmpi +debug-qt_4)", R"(_openmpi +debug-qt_4)"},
        {R"(_openmpi +debug -qt_4)", R"(_openmpi +debug ~qt_4)"},
        {R"(target=:broadwell,icelake)", R"(target=:broadwell,icelake)"},
        {R"(%gcc@:8.4.3,10.2.1:12.1.0)", R"(%gcc@:8.4.3,10.2.1:12.1.0)"},
        {R"(dev_path=*)", R"(dev_path=*)"},
        {R"(dev_path=../relpath/work)", R"(dev_path=../relpath/work)"},
        {R"(cflags=a=b=c+~)", R"(cflags='a=b=c+~')"},
        {R"(cflags=-Wl,a,b,c)", R"(cflags=-Wl,a,b,c)"},
        {R"(cflags=="-O3 -g")", R"(cflags=='-O3 -g')"},
        {R"(cflags=-O2 cflags="-g  -pipe")", R"(cflags='-O2 -g -pipe')"},
        {R"(ldflags='' +pic)", R"(+pic)"},
        {R"(+ debug % intel @ 12.1:12.6)", R"(+debug %intel-oneapi-compilers-classic@12.1:12.6)"},
        {R"(@ 12.1:12.6 + debug - qt_4)", R"(@12.1:12.6 +debug ~qt_4)"},
        {R"(@10.4.0:10,11.3.0:target=aarch64:)", R"(@10.4.0:10,11.3.0: target=aarch64:)"},
        {R"(@1.2:develop=foo)", R"(@1.2: develop=foo)"},
        {R"(@:0.4 % nvhpc)", R"(@:0.4 %nvhpc)"},
        {R"(^[virtuals=mpi] openmpi)", R"(^mpi=openmpi)"},
        {R"(^lapack,mpi=openmpi+foo+bar)", R"(^lapack,mpi=openmpi +bar +foo)"},
        {R"(^[deptypes=link,build] zlib)", R"(^[deptypes=build,link]zlib)"},
        {R"(^[deptypes=build] mpi=openmpi)", R"(^[deptypes=build]mpi=openmpi)"},
        {R"(zlib ++foo)", R"(zlib ++foo)"},
        {R"(zlib ~~foo)", R"(zlib ~~foo)"},
        {R"(zlib --foo)", R"(zlib ~~foo)"},
        {R"(zlib foo==bar)", R"(zlib foo==bar)"},
        {R"(zlib %[virtuals=c] gcc)", R"(zlib %c=gcc)"},
        {R"(zlib %c,cxx=gcc@14.1)", R"(zlib %c,cxx=gcc@14.1)"},
        {R"(zlib %[virtuals=fortran] gcc@14.1 %[virtuals=c,cxx] clang)", R"(zlib %fortran=gcc@14.1 %c,cxx=llvm)"},
        {R"(zlib %c=gcc+binutils)", R"(zlib %c=gcc +binutils)"},
        {R"(zlib %cmake+ownlibs)", R"(zlib %cmake +ownlibs)"},
        {R"(foo %%c,cxx=gcc)", R"(foo %%c,cxx=gcc)"},
        {R"(gcc languages:=c,c++)", R"(gcc languages:='c,c++')"},
        {R"(gcc languages:==c++,c)", R"(gcc languages:=='c,c++')"},
        {R"(foo=*)", R"(foo=*)"},
        {R"(foo:=*)", R"(foo=*)"},
        {R"(foo=True)", R"(+foo)"},
        {R"(foo==FALSE)", R"(~~foo)"},
        {R"(/abcde)", R"(/abcde)"},
        {R"(foo/abcde)", R"(foo /abcde)"},
        {R"(foo@1.2.3 /abcde)", R"(foo@1.2.3 /abcde)"},
        {R"(mpileaks ^ /fakebcd ^zmpi)", R"(mpileaks ^*/fakebcd ^zmpi)"},
        {R"(foo arch=linux-rhel8-zen2)", R"(foo platform=linux os=rhel8 target=zen2)"},
        {R"(foo arch=linux-None-None)", R"(foo platform=linux)"},
        {R"(foo architecture=zen2:)", R"(foo target=zen2:)"},
        {R"(foo operating_system=rhel8)", R"(foo os=rhel8)"},
        {R"(foo bar="it's")", R"(foo bar="it's")"},
        {R"(foo bar='a "b" c')", R"(foo bar='a "b" c')"},
        {R"(foo bar="a\" b'c")", R"(foo bar="a\" b'c")"},
        {R"(foo patches=ba5e334fe247335f3a116decfb5284100791dc302b5571ff5e664d8f9a6806c2)", R"(foo patches=ba5e334)"},
        {R"(hdf5@1.14: +mpi ~ipo api=default target=x86_64_v3 os=ubuntu22.04 platform=linux %gcc@13)", R"(hdf5@1.14: api=default ~ipo +mpi platform=linux os=ubuntu22.04 target=x86_64_v3 %gcc@13)"},
        {R"(hdf5@1.14.3%gcc@=11.4.0~cxx+mpi api=v110,v18 arch=linux-ubuntu22.04-zen2/abc1234)", R"(hdf5@1.14.3 api=v110,v18 ~cxx +mpi platform=linux os=ubuntu22.04 target=zen2 /abc1234 %gcc@=11.4.0)"},
        {R"(hdf5 api=v18%gcc libs:=a,b^zlib)", R"(hdf5 api='v18%gcc' libs:='a,b^zlib')"},
        {R"(hdf5 os=rhel8+mpi target=zen2,zen3/abc)", R"(hdf5 os=rhel8+mpi target=zen2,zen3/abc)"},
        {R"(hdf5 api='a%gcc' cflags=-D%x)", R"(hdf5 cflags='-D%x' api='a%gcc')"},
        {R"(hdf5 %gcc +mpi /abc)", R"(hdf5 %gcc +mpi /abc)"},
        {R"(hdf5 %gcc@12: %gcc@:13,15 +x)", R"(hdf5 %gcc@12:13,15 +x)"},
        {R"(hdf5 %c=gcc %cxx=gcc a=x %[virtuals=c] gcc a=y)", R"(hdf5 %c,cxx=gcc a=x,y)"},
        {R"(hdf5 ^zlib@1.2: ^zlib@=1.3 %gcc)", R"(hdf5 ^zlib@=1.3)"},
        {R"(hdf5 %[deptypes=build] zlib %[deptypes=link] zlib)", R"(hdf5 %[deptypes=build]zlib %[deptypes=link]zlib)"},
        {R"(foo os=* target=*)", R"(foo os=* target=*)"},
        {R"(hdf5 %gcc ^zlib %clang +pic)", R"(hdf5 %gcc ^zlib %llvm +pic)"},
        // clang-format on
    };
    for (const auto& [typed, canonical] : spellings) {
        INFO(typed);
        CHECK(parse_spec(typed).text() == canonical);
        CHECK(parse_spec(canonical).text() == canonical);
    }
}

TEST_CASE("A spec says what is asked") {
    const SpecQuery spec = parse_spec(
        "builtin.hdf5@1.14 +mpi api:=b,a x==c y=* cflags='-O2 -g' /abc %[deptypes=build] cxx,c=gcc "
        "^zlib");
    CHECK(spec.package == "hdf5");
    CHECK(spec.name_space == "builtin");
    CHECK(spec.version.text() == "1.14");
    REQUIRE(spec.variants.size() == 4);
    CHECK(spec.variants[0].name == "api");
    CHECK(spec.variants[0].values == Strings{"a", "b"});
    CHECK(spec.variants[0].is_exact);
    CHECK(spec.variants[1].values == Strings{"true"});
    CHECK(spec.variants[2].is_propagated);
    CHECK(spec.variants[3].is_any);
    REQUIRE(spec.flags.size() == 1);
    CHECK(spec.flags[0].flags == Strings{"-O2", "-g"});
    CHECK(spec.hash == "abc");
    REQUIRE(spec.dependencies.size() == 2);
    CHECK(spec.dependencies[0].is_direct);
    CHECK(spec.dependencies[0].may_be_compiler());
    CHECK(spec.dependencies[0].virtuals == Strings{"c", "cxx"});
    CHECK(spec.dependencies[0].deptypes == Strings{"build"});
    CHECK(spec.dependencies[1].spec.package == "zlib");
    CHECK_FALSE(spec.dependencies[1].is_direct);
    CHECK_FALSE(parse_spec("x %mpi=openmpi").dependencies[0].may_be_compiler());
}

TEST_CASE("Options behind a compiler belong to it, but not in what Spack before 1.0 printed") {
    CHECK(parse_spec("hdf5 %gcc@13 +mpi").variants.empty());
    const SpecQuery before = parse_spec("hdf5+mpi os=rhel8 %gcc@13");
    CHECK(parse_spec("hdf5 %gcc@13 +mpi os=rhel8", SpecSyntax::before_1_0) == before);
    CHECK(parse_as_before_1_0("hdf5 %gcc@13 +mpi os=rhel8") == before);
    CHECK_FALSE(parse_as_before_1_0("hdf5 +mpi %gcc@13"));
    CHECK_FALSE(parse_as_before_1_0("hdf5 %cmake +ncurses"));
    CHECK(parse_spec("hdf5@1.14%gcc@12+mpi api=v18^zlib", SpecSyntax::before_1_0).text() ==
          "hdf5@1.14 api=v18 +mpi %gcc@12 ^zlib");
    CHECK(parse_spec("hdf5@1.14%gcc@12+mpi arch=linux-rhel8-zen2 ^zlib@1.3%gcc@12~pic arch=zen2") ==
          parse_spec("hdf5@1.14+mpi platform=linux os=rhel8 target=zen2 %gcc@12 "
                     "^zlib@1.3~pic target=zen2 %gcc@12"));
    CHECK(parse_spec("hdf5@1.14%gcc@12+mpi arch=zen2").variants.empty());
}

TEST_CASE("A text that is no spec is an error that says where, and what was expected") {
    const std::string version = "a version like 1.14, =1.14.3, 1.12:1.14 or git.main";
    CHECK_THROWS_WITH(parse_spec("x@@1.2"),
                      "spec 'x@@1.2', column 3: expected " + version + ", found '@1.2'");
    CHECK(problem_with("y ^x@@1.2") == "column 6: expected " + version + ", found '@1.2'");
    CHECK(problem_with("x@ ") == "column 4: expected " + version);
    CHECK(problem_with("x@1.2::") ==
          "column 7: expected a version or nothing behind ':', found ':'");
    CHECK(problem_with("x@1:=2") ==
          "column 5: expected a version or nothing behind ':', found '=2'");
    CHECK(problem_with("x@=1:2") ==
          "column 5: expected no range behind '=', which stands for one version, found ':2'");
    CHECK(problem_with("x@1.2-") ==
          "column 3: expected a version that begins and ends with a letter, a digit or '_', found "
          "'1.2-'");
    CHECK(problem_with("x@git.foo==1.2") ==
          "column 11: expected the version that 'foo' stands for, found '=1.2'");
    CHECK(problem_with("x@1 @2") == "column 5: expected one version for a spec, found '@2'");
    CHECK(problem_with("x@2:1") ==
          "column 2: expected a range from the lower version to the higher one, found '2:1'");
    CHECK(problem_with("hdf5 mpi") ==
          "column 6: expected an option like +mpi, or the end of the spec, found 'mpi'");
    CHECK(problem_with("x::") ==
          "column 2: expected an option like +mpi, or the end of the spec, found '::'");
    CHECK(problem_with("") == "column 1: expected a spec like hdf5@1.14+mpi");
    CHECK(problem_with("\xc3\xa9 x") ==
          "column 1: expected a spec like hdf5@1.14+mpi, found '\xc3\xa9'");
    CHECK(problem_with("x y='\xc3\xa9' \xc3\xa9") ==
          "column 9: expected an option like +mpi, or the end of the spec, found '\xc3\xa9'");
    CHECK(problem_with("x api= mpi") == "column 7: expected a value behind 'api='");
    CHECK(problem_with("x api=]") == "column 7: expected a value behind 'api=', found ']'");
    CHECK(problem_with("x api=\"foo") == "column 7: expected a closing quote, found '\"foo'");
    CHECK(problem_with("x api='a\\'") ==
          "column 7: expected a value in quotes that does not end with a backslash");
    CHECK(problem_with("x + ") == "column 5: expected the name of a variant behind '+'");
    for (const auto* const again : {"~mpi", "++mpi", "mpi=*"}) {
        CHECK(problem_with(fmt::format("x +mpi {}", again)) ==
              "column 8: expected variant 'mpi' once");
    }
    CHECK(problem_with("x patches==abc") ==
          "column 3: expected 'patches=', because '==' is for variants and flags that dependencies "
          "share");
    CHECK(problem_with("x %y@1 %y@2") == "column 8: asks for two versions, 1 and 2");
    CHECK(problem_with("x ^y+a ^y~a") == "column 8: asks for two values, +a and ~a");
    CHECK(problem_with("x %[deptypes=link]y %[deptypes=run]y") ==
          "column 21: asks for two dependencies, %[deptypes=link]y and %[deptypes=run]y");
    CHECK(problem_with("x a=b,*") == "column 3: expected '*' without other values, found 'b,*'");
    CHECK(problem_with("x a=true,b") ==
          "column 3: variant 'a' is given as a boolean and as something else");
    CHECK(problem_with("x target=a target=b") ==
          "column 12: expected one target, found another: 'b'");
    CHECK(problem_with("x target==a") ==
          "column 3: expected 'target=', because '==' is for variants and flags that dependencies "
          "share");
    CHECK(problem_with("x os='a b'") == "column 3: expected os=NAME, found 'a b'");
    CHECK(problem_with("x arch=linux-rhel8") ==
          "column 3: expected arch=platform-os-target or arch=target, found 'linux-rhel8'");
    CHECK(problem_with("x / abc") == "column 4: expected a hash or its beginning behind '/'");
    CHECK(problem_with("x %") == "column 4: expected a package behind '%'");
    CHECK(problem_with("x %[virtuals=c") ==
          "column 15: expected virtuals=..., deptypes=... or ']'");
    CHECK(problem_with("x ^[virtuals=,c]mpi") ==
          "column 14: expected a list like c,cxx, found ',c'");
    CHECK(problem_with("x ^[deptypes=bild]y") ==
          "column 5: expected deptypes of build, link, run and test, found 'bild'");
}

TEST_CASE("What only a machine or a file could answer is refused") {
    CHECK(problem_with("x os=default_os") ==
          "column 3: expected os=NAME, found 'default_os', which depends on a machine");
    CHECK(problem_with("x target=be") ==
          "column 3: expected target=NAME, found 'be', which depends on a machine");
    for (const auto* const file : {"./spec.json", "/tmp/a/spec.yaml", "a/spec.json"}) {
        CHECK(problem_with(file) == "column 1: expected a spec, found the name of a file");
    }
    CHECK(problem_with("foo ^[when='%c' virtuals=c] gcc") ==
          "column 7: expected virtuals=... or deptypes=..., found 'when=', which the ledger can't "
          "answer");
}

}  // namespace spec_parser_test
