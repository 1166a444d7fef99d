#include "schema/specs/lists/list_line.hpp"

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

TEST_CASE("A tab separates specs, and dashes stand for the hash of the next") {
    CHECK(cut("zlib@1.3\thdf5@1.14 +mpi\topenssl@3\t/opt/openssl") ==
          Items{". . zlib@1.3 .", ". . hdf5@1.14 +mpi .", ". . openssl@3 /opt/openssl"});
    CHECK(cut("log4cxx\tncurses") == Items{". . log4cxx .", ". . ncurses ."});
    CHECK(cut("abc2345\tzlib@1.3\thdf5") == Items{". abc2345 zlib@1.3 .", ". . hdf5 ."});
    CHECK(cut("hdf5\t+mpi") == Items{". . hdf5\t+mpi ."});
    CHECK(cut("------- gdbm  ------- hdf5+mpi   -  ------- zlib") ==
          Items{". . gdbm .", ". . hdf5+mpi .", "- . zlib ."});
    CHECK_FALSE(cut_line("-\thdf5", {})[0].is_of_tree);
}

TEST_CASE("An installer says of a spec how far it is") {
    CHECK(cut("[ ] 63aruxk zstd@1.5.7 fetching from build cache (0s)") ==
          Items{"[ ] 63aruxk zstd@1.5.7 ."});
    CHECK(cut("[|] abcdefg gcc@12.2.0 fetching: 42%") == Items{"[|] abcdefg gcc@12.2.0 ."});
    CHECK(cut("[\\] abcdefg py-x@1 no binary available") == Items{"[\\] abcdefg py-x@1 ."});
    CHECK(cut("[x] abcdefg zlib@1.3 failed") == Items{"[x] abcdefg zlib@1.3 ."});
    CHECK(cut("abc2345 zlib@1.3: staging") == Items{". abc2345 zlib@1.3 ."});
    CHECK(cut("[+] abcdefg zlib@1.3 /opt/zlib (1m 4s)") == Items{"[+] abcdefg zlib@1.3 /opt/zlib"});
    CHECK(cut("[+] /usr (external glibc-2.36-" + long_hash + ")") ==
          Items{"[e] . . glibc-2.36-" + long_hash});
    CHECK(cut("[+] abcdefg zlib@1.3 +pic build_system=makefile") ==
          Items{"[+] abcdefg zlib@1.3 +pic build_system=makefile ."});
    CHECK(cut("zlib@1.3 staging") == Items{". . zlib@1.3 staging ."});
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

TEST_CASE("A line that somebody typed in a shell is told from a spec") {
    for (const char* const line :
         {"$ spack find -l", "$", "user@host:~/x$ cat specs", "[root@host ~]# spack install zlib",
          "user@mac ~ % spack find", "host% spack -e dev find", "~/dev> spack find -lv", "~/dev>",
          "~/dev〉spack find", "~/dev〉", "❯ spack install hdf5", "➜  ~ spack find", "❯",
          "PS C:\\spack> spack find", "spack find -l", "sudo /opt/spack/bin/spack concretize -f",
          "(base) [me@host ~]$ ls"}) {
        CAPTURE(line);
        CHECK(is_command(line));
    }
    for (const char* const line :
         {"spack", "spack@0.22", "spack +modules", "spack  zlib", "zlib spack hdf5", "x % spack +y",
          "py-x ^spack", "hdf5 cflags='-DX=$ -g'", "hdf5 %", "...", "bilz\xe2\x80\xae", "zlib"}) {
        CAPTURE(line);
        CHECK_FALSE(is_command(line));
    }
}

TEST_CASE("A YAML item in quotes is what stands in them") {
    CHECK(cut("- 'hdf5  +mpi'") == Items{"- . hdf5  +mpi ."});
    CHECK(cut(R"(- "x cflags=\"-O2 -g\"")") == Items{R"(- . x cflags="-O2 -g" .)"});
    CHECK(cut("'x cflags=''-O2'''") == Items{". . x cflags='-O2' ."});
    CHECK(cut("- 'zlib' x") == Items{"- . 'zlib' x ."});
}

}  // namespace list_line_test
