#include "schema/specs/list_lines/list_line.hpp"

#include <fmt/format.h>

#include "tests/support/catch.hpp"

namespace list_line_test {

using namespace cacheledger;
using Items = std::vector<std::string>;

namespace {

// "MARK HASH SPEC PATH" of each spec, "." for what is not there, and '^' before a dependency.
Items cut(std::string_view line, const LineContext& context = {}) {
    const auto shown = [](std::string_view text) { return text.empty() ? "." : text; };
    Items items;
    for (const ListItem& item : cut_line(line, context)) {
        items.push_back(fmt::format("{} {} {}{} {}", shown(item.mark), shown(item.hash),
                                    item.is_dependency ? "^" : "", shown(item.spec),
                                    shown(item.path)));
    }
    return items;
}

const std::string long_hash = "abcdefghijklmnopqrstuvwxyz234567";

}  // namespace

TEST_CASE("A line of a tree has a mark, a hash, types and a depth before its spec") {
    CHECK(cut("[+]  abcdefg  [bl  ]      ^zlib@1.3 +pic") == Items{"[+] abcdefg ^zlib@1.3 +pic ."});
    CHECK(cut(" -   fajljds      ^bzip2@1.0.8") == Items{"- fajljds ^bzip2@1.0.8 ."});
    CHECK(cut("[e]  " + long_hash + "          ^gcc@10") ==
          Items{"[e] " + long_hash + " ^gcc@10 ."});
    CHECK(cut("[b]  [blr-]  openssl@3 build_system=generic") ==
          Items{"[b] . openssl@3 build_system=generic ."});
    CHECK(cut("openssl      ^zlib@1.3") == Items{". openssl ^zlib@1.3 ."});
}

TEST_CASE("Two blanks and more separate specs, but not a spec and its options") {
    CHECK(cut("zlib@1.3    hdf5@1.14+mpi  openssl@3") ==
          Items{". . zlib@1.3 .", ". . hdf5@1.14+mpi .", ". . openssl@3 ."});
    CHECK(cut("hdf5  +mpi  ~ipo   api=v18  -shared  %gcc@13  ^zlib  @1.14") ==
          Items{". . hdf5  +mpi  ~ipo   api=v18  -shared  %gcc@13  ^zlib  @1.14 ."});
    CHECK(cut("hdf5 ^  zlib %  gcc  ncurses") ==
          Items{". . hdf5 ^  zlib %  gcc .", ". . ncurses ."});
    CHECK(cut("x cflags='-O2  foo'  y") == Items{". . x cflags='-O2  foo' .", ". . y ."});
}

TEST_CASE("A mark belongs to the spec behind it, and is no option of the one before") {
    CHECK(cut("[+] hdf5  [+] zlib   -  gdbm   -  openssl") ==
          Items{"[+] . hdf5 .", "[+] . zlib .", "- . gdbm .", "- . openssl ."});
    CHECK(cut("-  gdbm") == Items{"- . gdbm ."});
    CHECK(cut_line("gdbm -  zlib", {})[0].stray_dash == 5);
    CHECK(cut("hdf5 -mpi") == Items{". . hdf5 -mpi ."});
}

TEST_CASE("A word of seven letters is a hash only where one must stand") {
    CHECK(cut("openssl  ncurses") == Items{". . openssl .", ". . ncurses ."});
    CHECK(cut("openssl ^zlib") == Items{". . openssl ^zlib ."});
    CHECK(cut("- openssl ^zlib") == Items{"- . openssl ^zlib ."});
    CHECK(cut("- libxml2  +python") == Items{"- . libxml2  +python ."});
    CHECK(cut("[+] ncurses abi=5") == Items{"[+] . ncurses abi=5 ."});
    CHECK(cut("openssl zlib@1.3") == Items{". . openssl zlib@1.3 ."});
    CHECK(cut("libxml2 zlib@1.3") == Items{". . libxml2 zlib@1.3 ."});
    CHECK(cut("abc2345 zlib") == Items{". abc2345 zlib ."});
    CHECK(cut("[+] abcdefg zlib") == Items{"[+] abcdefg zlib ."});
    CHECK(cut("abcdefg zlib@1  bcdefgh hdf5@1", {.all_have_hashes = true}) ==
          Items{". abcdefg zlib@1 .", ". bcdefgh hdf5@1 ."});
    CHECK(cut("abcdefg zlib@1  bcdefgh hdf5@1", {.is_below_system = true}) ==
          Items{". abcdefg zlib@1 .", ". bcdefgh hdf5@1 ."});
    CHECK(cut("openssl  ncurses", {.is_below_system = true}) ==
          Items{". . openssl .", ". . ncurses ."});
    CHECK(cut("------- gdbm") == Items{". . gdbm ."});
}

TEST_CASE("The path of an installation ends a line") {
    CHECK(cut("zlib@1.3    /opt/spack/zlib-1.3") == Items{". . zlib@1.3 /opt/spack/zlib-1.3"});
    CHECK(cut("abcdefg glibc@2.35  /usr", {.is_below_system = true}) ==
          Items{". abcdefg glibc@2.35 /usr"});
    CHECK(cut("hdf5 /abcdefg") == Items{". . hdf5 /abcdefg ."});
    CHECK(cut("/abcdefg") == Items{". . /abcdefg ."});
    CHECK(cut("[+] /opt/zlib-1.3") == Items{"[+] . . /opt/zlib-1.3"});
    CHECK(cut(long_hash + " /opt") == Items{". " + long_hash + " . /opt"});
}

TEST_CASE("A YAML item in quotes is what stands in them") {
    CHECK(cut("- 'hdf5  +mpi'") == Items{"- . hdf5  +mpi ."});
    CHECK(cut(R"(- "x cflags=\"-O2 -g\"")") == Items{R"(- . x cflags="-O2 -g" .)"});
    CHECK(cut("'x cflags=''-O2'''") == Items{". . x cflags='-O2' ."});
    CHECK(cut("- 'zlib' x") == Items{"- . 'zlib' x ."});
}

}  // namespace list_line_test
