#include <fmt/format.h>

#include "schema/specs/lists/spec_list.hpp"
#include "tests/support/catch.hpp"

namespace printed_list_test {

using namespace cacheledger;
using Lines = std::vector<std::string>;

namespace {

// "LINE: canonical spec" for each spec of the list, and how many external ones are left out.
Lines read(const std::string& text) {
    const SpecList list = read_spec_list(text, "printed.txt");
    Lines lines;
    for (const WantedSpec& wanted : list.specs) {
        lines.push_back(fmt::format("{}: {}", wanted.line, wanted.query.text()));
    }
    if (list.external > 0) {
        lines.push_back(fmt::format("external: {}", list.external));
    }
    return lines;
}

}  // namespace

TEST_CASE("Each line of a tree is a spec that is wanted, and external ones are left out") {
    CHECK(read("==> Concretized python\n"
               " -   miwzwmj  python@3.13 build_system=generic platform=linux os=debian11 "
               "target=x86_64\n"
               "[+]  fajljds      ^bzip2@1.0.8~debug arch=linux-debian11-x86_64\n"
               "[e]  hpyjjym          ^gcc@10.2.1 languages:='c,c++'\n"
               "[^]  zzxf74n          ^compiler-wrapper@1.0\n"
               "[b]  fcaharz      ^gmake@4.4.1 cflags==\"-O2 -g\" ++guile %c=gcc@10.2.1\n"
               "[-]  fajljds          ^bzip2@1.0.8~debug arch=linux-debian11-x86_64\n"
               "[e]  hpyjjym          ^gcc@10.2.1\n") ==
          Lines{"2: python@=3.13 build_system:=generic platform=linux os=debian11 target=x86_64 "
                "/miwzwmj",
                "3: bzip2@=1.0.8 ~debug platform=linux os=debian11 target=x86_64 /fajljds",
                "5: compiler-wrapper@=1.0 /zzxf74n",
                "6: gmake@=4.4.1 cflags='-O2 -g' +guile /fcaharz %c=gcc@=10.2.1", "external: 1"});
}

TEST_CASE("A tree without hashes wants each spec once, with its exact version") {
    CHECK(read("[+]  hdf5@1.14%gcc@9.3.0+mpi arch=linux-rhel8-zen2\n"
               "[+]      ^zlib@1.3%gcc@9.3.0 patches=abc1234,def5678 arch=linux-rhel8-zen2\n"
               "[+]  netcdf@4%gcc@9.3.0 arch=linux-rhel8-zen2\n"
               "[+]      ^zlib@1.3%gcc@9.3.0 patches=abc1234,def5678 arch=linux-rhel8-zen2\n") ==
          Lines{"1: hdf5@=1.14 +mpi platform=linux os=rhel8 target=zen2 %gcc@=9.3.0",
                "2: zlib@=1.3 patches:=abc1234,def5678 platform=linux os=rhel8 target=zen2 "
                "%gcc@=9.3.0",
                "3: netcdf@=4 platform=linux os=rhel8 target=zen2 %gcc@=9.3.0"});
}

TEST_CASE("What was typed comes again where it was concretized") {
    CHECK(read("Input spec\n--------------------------------\n -   hdf5+mpi\n -       ^zlib\n\n"
               "Concretized\n--------------------------------\n"
               "[+]  hdf5@1.14+mpi\n[+]      ^zlib@1.3\n\n"
               "Input spec\n----\ngdbm\n\nNormalized\n----\ngdbm\n\nConcretized\n----\n"
               "gdbm@1.23\n") == Lines{"8: hdf5@=1.14 +mpi", "9: zlib@=1.3", "21: gdbm@=1.23"});
}

TEST_CASE("The types of dependencies say nothing that is asked") {
    CHECK(read("[    ]  hdf5@1.14\n[bl  ]      ^zlib@1.3\n[blr ]      ^cmake@3\n[ l r]      ^xz@5\n"
               "[b]  abcdefg  [   ]  gdbm@1\n") ==
          Lines{"1: hdf5@1.14", "2: zlib@=1.3", "3: cmake@=3", "4: xz@=5", "5: gdbm@=1 /abcdefg"});
}

TEST_CASE("The root specs of an environment are as a user typed them, several in a line") {
    CHECK(read("==> In environment climate\n"
               "==> 5 root specs\n"
               "[+] hdf5@1.14  [+] openssl   -  gdbm\n"
               " -  python ^zlib@1:  [e] openmpi %gcc\n"
               "\n"
               "==> 0 installed packages\n") ==
          Lines{"3: hdf5@1.14", "3: openssl", "3: gdbm", "4: python ^zlib@1:", "external: 1"});
    CHECK(
        read("==> 2 root specs\n-- no arch / gcc@11 ----\n[+] abcdefg hdf5@1.14   -  ------- gdbm\n"
             "==> Installed packages\n-- linux-rhel8-zen2 / gcc@11 ----\nopenssl@3\n") ==
        Lines{"3: hdf5@1.14 /abcdefg %gcc@11", "3: gdbm %gcc@11",
              "6: openssl@=3 platform=linux os=rhel8 target=zen2 %gcc@=11"});
    CHECK(read("==> Root specs\nopenssl  zlib@1.3\n") == Lines{"2: openssl", "2: zlib@1.3"});
}

TEST_CASE("As many roots as Spack announces are roots, and what follows exists") {
    const std::string header = "-- linux-rhel8-zen2 / %c=gcc@11 ---\n";
    const std::string installed = " platform=linux os=rhel8 target=zen2 %c=gcc@=11";
    CHECK(read("==> In environment m (2 root specs)\n[+] zstd@1  [+] tcl\n\n" + header +
               "tcl@8.6\n"
               "==> 1 installed package\n") ==
          Lines{"2: zstd@1", "2: tcl", "5: tcl@=8.6" + installed});
    CHECK(read("==> In environment m\n==> 1 root spec\n-- no arch / no compilers ---\n"
               "[+] abcdefg hdf5@1\n\n" +
               header + "abcdefg hdf5@1.14  bcdefgh zlib@1\n") ==
          Lines{"4: hdf5@1 /abcdefg",
                "7: zlib@=1 platform=linux os=rhel8 target=zen2 /bcdefgh %c=gcc@=11"});
    // A root may ask for a whole system itself.
    CHECK(read("==> 2 root specs\n" + header +
               " -  hdf5@1\n\n-- linux-rhel8-zen3 / no compilers --\n"
               " -  zlib@1\n\n" +
               header + "tcl@8.6\n") ==
          Lines{"3: hdf5@1 platform=linux os=rhel8 target=zen2 %c=gcc@=11",
                "6: zlib@1 platform=linux os=rhel8 target=zen3", "9: tcl@=8.6" + installed});
    CHECK(read("==> No root specs\n" + header + "tcl@8.6\n") == Lines{"3: tcl@=8.6" + installed});
    CHECK(read("==> In environment m (no root specs)\ntcl@8.6\n") == Lines{"2: tcl@=8.6"});
    CHECK(read("==> 1 root spec\n[+] tcl\n\n==> Included specs\nzlib@1\n\n" + header + "xz@5\n") ==
          Lines{"2: tcl", "5: zlib@1", "8: xz@=5" + installed});
}

TEST_CASE("What stands around a printed list is left out") {
    CHECK(read("user@host:~$ spack find -l hdf5\r\n-- linux-rhel8-zen2 / no compilers ---\r\n"
               "abcdefg hdf5@1.14\r\n==> 1 installed package\r\nuser@host:~$ spack find\r\n"
               "-- linux-rhel8-zen2 / no compilers ---\r\nzlib@1\r\nuser@host:~$\r\n") ==
          Lines{"3: hdf5@=1.14 platform=linux os=rhel8 target=zen2 /abcdefg",
                "7: zlib@=1 platform=linux os=rhel8 target=zen2"});
    CHECK(
        read(
            "==> Warning: The following issues were ignored\n  NotExists: no file:///x/index.json\n"
            "  - and more\nbcdefgh zlib@1\nabc2345 hdf5@1.14\n") ==
        Lines{"4: zlib@1 /bcdefgh", "5: hdf5@1.14 /abc2345"});
    CHECK(read("```console\n$ spack spec zlib\n==> Warning: old\n -   abcdefg  zlib@1\n```\n") ==
          Lines{"4: zlib@=1 /abcdefg"});
    CHECK(read("==> [2026-01-05-10:11:12.123456] Concretized 1 spec\nhdf5@1\n") ==
          Lines{"2: hdf5@=1"});
}

TEST_CASE("What the installer of Spack prints are specs by their hashes") {
    CHECK(read("==> Concretized 1 spec\n[b]  63aruxk  zstd@1.5.7+programs %c,cxx=gcc@15.2.0\n\n"
               "[ ] 63aruxk zstd@1.5.7 fetching from build cache (0s)\n"
               "[e] abcdefg glibc@2.36 /usr (0s)\n"
               "[+] 63aruxk zstd@1.5.7 /opt/zstd-1.5.7 (0s)\n"
               "Progress: 2/3  /: filter  v: logs  n/p: next/prev\n") ==
          Lines{"2: zstd@=1.5.7 +programs /63aruxk %c,cxx=gcc@=15.2.0", "external: 1"});
    CHECK(read("==> zlib: Successfully installed zlib-1.3-abcdefg\n  Stage: 0.5s.  Total: 3.2s\n"
               "[+] /opt/zlib-1.3-abcdefghijklmnopqrstuvwxyz234567\n"
               "[+] /usr (external glibc-2.36-bcdefghijklmnopqrstuvwxyz234567a)\n") ==
          Lines{"3: /abcdefghijklmnopqrstuvwxyz234567", "external: 1"});
    CHECK(read("abc2345 zlib@1.3: staging\nbcdefgh xz@5: finished\nabc2345 zlib@1.3: finished\n") ==
          Lines{"1: zlib@1.3 /abc2345", "2: xz@5 /bcdefgh"});
}

TEST_CASE("Columns of spack find need no header") {
    CHECK(read("==> 4 installed packages\nhdf5@1.14    openssl@3\nzlib@1.3\n") ==
          Lines{"2: hdf5@=1.14", "2: openssl@=3", "3: zlib@=1.3"});
    CHECK(read("abc2efg hdf5@1.14    bc2defg openssl@3\ncdefghi zlib@1.3\n") ==
          Lines{"1: hdf5@=1.14 /abc2efg", "1: openssl@=3 /bc2defg", "2: zlib@1.3 /cdefghi"});
    CHECK(read("zlib@1.3  /opt/zlib-1.3-abcdefghijklmnopqrstuvwxyz234567\n") ==
          Lines{"1: zlib@1.3 /abcdefghijklmnopqrstuvwxyz234567"});
}

TEST_CASE("A header is of the roots below it, not of what they need") {
    CHECK(read("-- linux-rhel8-zen2 / gcc@11 ----\n"
               "abcdefg hdf5@1.14\n"
               "bcdefgh     zlib@1.3\n"
               "\n"
               "cdefghi gdbm@1\n"
               "-- linux-rhel8-zen2 / %c,cxx=llvm@18 %fortran=gcc@13\n"
               "xz@5\n"
               "    pkgconf@2\n"
               "-- linux-rhel8-zen2\n"
               "m4@1\n") ==
          Lines{"2: hdf5@=1.14 platform=linux os=rhel8 target=zen2 /abcdefg %gcc@=11",
                "3: zlib@=1.3 /bcdefgh",
                "5: gdbm@=1 platform=linux os=rhel8 target=zen2 /cdefghi %gcc@=11",
                "7: xz@=5 platform=linux os=rhel8 target=zen2 %c,cxx=llvm@=18 %fortran=gcc@=13",
                "8: pkgconf@=2", "10: m4@=1 platform=linux os=rhel8 target=zen2"});
}

TEST_CASE("Colours change nothing") {
    CHECK(read("\x1b[1;34m==>\x1b[0m Concretized 1 spec:\n"
               "\x1b[0;90m - \x1b[0m  \x1b[0;90mmiwzwmj\x1b[0m  python\x1b[0;36m@3.13\x1b[0m\n"
               "\x1b[0;35m[e]\x1b[0m  \x1b[0;90mhpyjjym\x1b[0m      ^gcc\x1b[0;36m@10\x1b[0m\n") ==
          Lines{"2: python@=3.13 /miwzwmj", "external: 1"});
}

TEST_CASE("What is printed beside its hash is the spec with this hash") {
    const SpecList list = read_spec_list(
        "[+]  abcdefg  hdf5@1.14+mpi\n[+]  abcdefghijklmnopqrstuvwxyz234567      ^zlib@1.3\n"
        "gdbm@1/bcdefgh\n",
        "printed.txt");
    REQUIRE(list.specs.size() == 3);
    CHECK(list.specs[0].asked().text() == "hdf5 /abcdefg");
    CHECK(list.specs[0].text == "abcdefg hdf5@1.14+mpi");
    CHECK(list.specs[1].asked().text() == "/abcdefghijklmnopqrstuvwxyz234567");
    CHECK(list.specs[2].asked().text() == "gdbm@1 /bcdefgh");
}

TEST_CASE("One line of many that can't be read is left out, though the others say the same") {
    const SpecList list =
        read_spec_list("tcl@8.6.17\ntcl@8.6.17\ntcl@8.6.17\nzstd@1.5.7 +++\n", "printed.txt");
    CHECK(list.specs.size() == 1);
    CHECK(list.left_out.size() == 1);
    CHECK_FALSE(list.not_read.empty());
}

TEST_CASE("The installer says how many more builds it has") {
    CHECK(read("[+] 63aruxk zstd@1.5.7 /opt/x (4s)\n3 more...\n") ==
          Lines{"1: zstd@1.5.7 /63aruxk"});
}

}  // namespace printed_list_test
