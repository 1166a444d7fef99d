#include <fmt/format.h>

#include "schema/errors/error.hpp"
#include "schema/specs/lists/list_line.hpp"
#include "schema/specs/lists/list_sections.hpp"
#include "schema/specs/lists/spec_list.hpp"
#include "tests/support/catch.hpp"

namespace spec_list_test {

using namespace cacheledger;
using Items = std::vector<std::string>;
using Lines = std::vector<std::string>;

namespace {

const std::string long_hash = "abcdefghijklmnopqrstuvwxyz234567";

// "LINE: canonical spec" for each spec of the list.
Lines read(const std::string& text) {
    Lines lines;
    for (const WantedSpec& wanted : read_spec_list(text, "wanted.txt").specs) {
        lines.push_back(fmt::format("{}: {}", wanted.line, wanted.query.text()));
    }
    return lines;
}

Lines problems(const std::string& text) {
    try {
        read(text);
    } catch (const InputError& error) {
        return error.problems();
    }
    return {};
}

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

}  // namespace

TEST_CASE("A list has a spec in each line") {
    CHECK(read("hdf5+mpi\n\n  zlib@1.3  \r\n") == Lines{"1: hdf5 +mpi", "3: zlib@1.3"});
    CHECK(read("\xef\xbb\xbfzlib") == Lines{"1: zlib"});
    CHECK(read_spec_list(" hdf5  +mpi # fast\n", "x").specs.at(0).text == "hdf5  +mpi");
}

TEST_CASE("Text of a list from '#' on is a comment, but not in quotes") {
    CHECK(read("# all\nzlib # small\nx cflags='-DA #1' # one\n") ==
          Lines{"2: zlib", "3: x cflags='-DA #1'"});
}

TEST_CASE("A list can be what spack find prints") {
    CHECK(read("==> In environment climate\n"
               "==> 1 root specs\n"
               "-- no arch / no compilers ------\n"
               "hdf5+mpi\n"
               "\n"
               "==> Installed packages\n"
               "-- linux-ubuntu22.04-x86_64_v3 / gcc@11.4.0 ---------------------\n"
               "abcdefg autoconf@2.69    zlib@1.3.1  ncurses@6.4 abi=none,5\n"
               "[+]  cde4567 hdf5@1.14  /opt/spack/hdf5-1.14\n"
               " -   ------- cmake@3.27 %gcc@12 target=zen2\n"
               "-- darwin-sequoia-m1 / %c,cxx=apple-clang@16.0 %fortran=gcc@14 --\n"
               "zlib-ng@2.1\n"
               "-- darwin-sequoia-m1 / no compilers --\n"
               "ca-certificates\n") ==
          Lines{"4: hdf5 +mpi",
                "8: autoconf@=2.69 platform=linux os=ubuntu22.04 target=x86_64_v3 /abcdefg "
                "%gcc@=11.4.0",
                "8: zlib@=1.3.1 platform=linux os=ubuntu22.04 target=x86_64_v3 %gcc@=11.4.0",
                "8: ncurses@=6.4 abi:=5,none platform=linux os=ubuntu22.04 target=x86_64_v3 "
                "%gcc@=11.4.0",
                "9: hdf5@=1.14 platform=linux os=ubuntu22.04 target=x86_64_v3 /cde4567 "
                "%gcc@=11.4.0",
                "10: cmake@=3.27 target=zen2 %gcc@=12",
                "12: zlib-ng@=2.1 platform=darwin os=sequoia target=m1 %c,cxx=apple-clang@=16.0 "
                "%fortran=gcc@=14",
                "14: ca-certificates platform=darwin os=sequoia target=m1"});
}

TEST_CASE("A list can be what spack find prints in a format of the user's") {
    CHECK(read("hdf5@1.14.3%gcc@11.4.0/abc2345\n") ==  // {name}{@version}{%compiler}{/hash:7}
          Lines{"1: hdf5@1.14.3 /abc2345 %gcc@11.4.0"});
    for (const std::string& text : {long_hash,                     // {hash}
                                    "/" + long_hash,               // {/hash}
                                    "zlib-ng-2.1.6-" + long_hash,  // {name}-{version}-{hash}
                                    long_hash + " /opt/zlib"}) {
        CAPTURE(text);
        CHECK(read(text) == Lines{"1: /" + long_hash});
    }
    CHECK(read("zlib\nabc2345 hdf5@1.14.3 ~mpi api=default\n" +  // {hash:7} {name}{@version}...
               long_hash + " builtin.zlib@1.3.1 arch=linux-rhel8-zen2\n") ==
          Lines{"1: zlib", "2: hdf5@1.14.3 api=default ~mpi /abc2345",
                "3: builtin.zlib@1.3.1 platform=linux os=rhel8 target=zen2 /" + long_hash});
}

TEST_CASE("A list can be what the installer prints") {
    CHECK(read("[+] /opt/spack/linux-zen2/zlib-ng-2.1.6-" + long_hash +
               "\n"
               "[+] python@3.11\n"
               "[e]  abcdefg glibc@2.35  /usr\n"
               "[^] cmake@3.27\n"
               "[-]  zlib\n"
               "-- linux-rhel8-zen2 / no compilers --\n"
               "[e]  openssl@3.0  /usr\n"
               "hdf5 /abcdefg\n") == Lines{"1: /" + long_hash, "2: python@3.11", "4: cmake@3.27",
                                           "5: zlib",
                                           "8: hdf5 platform=linux os=rhel8 target=zen2 /abcdefg"});
}

TEST_CASE("A list can be the specs of a spack.yaml") {
    CHECK(read("spack:\n  specs:\n  - hdf5+mpi\n  - 'ncurses'\n  - \"openmpi +cxx\" # mine\n") ==
          Lines{"3: hdf5 +mpi", "4: ncurses", "5: openmpi +cxx"});
}

TEST_CASE("Behind prompts and messages comes what Spack prints") {
    const std::string json = "[\n {\"name\": \"zlib\"}\n]\n";
    for (const char* const before :
         {"", "\n", "$ spack find --json\n", "[me@login1 ~]$ spack find --json\n",
          "==> Warning: the configuration is odd\n    and that is why\n\n",
          "me@host:~$ spack -e . find --json\n==> Warning: odd\n  - more\n"}) {
        INFO(before);
        CHECK(behind_messages(before + json) == json);
    }
    CHECK(behind_messages("==> Error: no\n" + json) == "==> Error: no\n" + json);
    CHECK(behind_messages("$ spack find\nzlib\n") == "zlib\n");
    CHECK(behind_messages("$ spack find\n").empty());
}

TEST_CASE("A spec that a list has twice is wanted once") {
    CHECK(read("zlib\nhdf5 +mpi\nhdf5+mpi\nzlib@1\n") ==
          Lines{"1: zlib", "2: hdf5 +mpi", "4: zlib@1"});
    CHECK(read("abc2345 zlib@1.3 +pic\nabc2345 zlib@1.3\nabc2345 hdf5@1\n").size() == 2);
}

TEST_CASE("A list with problems names the line, the column and what was expected, and quotes it") {
    CHECK(problems("zlib\n  hdf5@@1\n\nhdf5 mpi\n[+] x@\n") ==
          Lines{"wanted.txt:2: column 8: expected a version like 1.14, =1.14.3, 1.12:1.14 or "
                "git.main, found '@1': 'hdf5@@1'",
                "wanted.txt:4: column 6: expected an option like +mpi, or the end of the spec, "
                "found 'mpi': 'hdf5 mpi'",
                "wanted.txt:5: column 7: expected a version like 1.14, =1.14.3, 1.12:1.14 or "
                "git.main: '[+] x@'"});
    CHECK(problems("-- linux-rhel8 / gcc@12 --\nzlib\n") ==
          Lines{"wanted.txt:1: column 1: expected a header like '-- linux-ubuntu22.04-x86_64 / "
                "gcc@11.4.0 --': '-- linux-rhel8 / gcc@12 --'"});
    CHECK(problems("gdbm -  zlib\n") ==
          Lines{"wanted.txt:1: column 6: expected two blanks before the mark '-': 'gdbm -  zlib'"});
    CHECK(problems("==> Error: no such package\nzlib\n") ==
          Lines{"wanted.txt:1: column 1: expected specs, found an error of Spack: '==> Error: no "
                "such package'"});
    CHECK(problems("zlib\nInput spec\n----\nhdf5\n") ==
          Lines{"wanted.txt: expected 'Concretized' and a tree below 'Input spec'"});
    CHECK(problems("bilz\xe2\x80\xae\n").size() == 1);
    CHECK(problems("# nothing\n") ==
          Lines{"wanted.txt: asks for nothing: expected at least one spec"});
}

TEST_CASE("What can't be read is left out of a list with more specs than that") {
    const SpecList list = read_spec_list("zlib\nhdf5@@1  xz\n==> Error: none\ngdbm\n", "x");
    REQUIRE(list.specs.size() == 3);
    CHECK(list.specs[1].text == "xz");
    CHECK_FALSE(list.not_read.empty());
    REQUIRE(list.left_out.size() == 2);
    CHECK(list.left_out[0].line == 2);
    CHECK(list.left_out[0].detail ==
          "column 6: expected a version like 1.14, =1.14.3, 1.12:1.14 or git.main, found '@1': "
          "'hdf5@@1  xz'");
    CHECK(read_spec_list("zlib\n", "x").not_read.empty());
    CHECK(problems("zlib\nhdf5@@1\n").size() == 1);
}

TEST_CASE("What is quoted of a list with problems has its limits") {
    std::string many;
    for (int i = 0; i < 30; ++i) {
        many += "x@\n";
    }
    CHECK(problems(many).size() == 21);
    CHECK(problems(many).back() == "wanted.txt: 10 more problems");
    const std::string longest = "x " + std::string(70'000, 'y');
    REQUIRE(problems(longest).size() == 1);
    CHECK(problems(longest)[0].size() < 300);
    CHECK(problems("x y" + std::string(10'000, 'y'))[0].size() < 600);
}

TEST_CASE("A line may be long and deep") {
    std::string columns;
    for (int i = 0; i < 20'000; ++i) {
        columns += fmt::format("p{}@1.0  ", i);
    }
    CHECK(read(columns).size() == 20'000);
    CHECK(read("[+]  abcdefg  " + std::string(1'000'000, ' ') + "^zlib@1.3") ==
          Lines{"1: zlib@=1.3 /abcdefg"});
}

// As the names of many packages: they have seven letters, and a digit among them.
TEST_CASE("A name is not taken for a short hash") {
    CHECK(read("log4cxx ^ncurses\n") == Lines{"1: log4cxx ^ncurses"});
    CHECK(read("log4cxx ^libxml2\nopenssl ^ca-certificates-mozilla\n") ==
          Lines{"1: log4cxx ^libxml2", "2: openssl ^ca-certificates-mozilla"});
    CHECK(read("- log4cxx ^ncurses\n") == Lines{"1: log4cxx ^ncurses"});
}

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

TEST_CASE("Colours, links and titles are taken out of a line") {
    CHECK(without_escapes("\x1b[0;32m[+]\x1b[0m  \x1b[90mabcdefg\x1b[m  zlib") ==
          "[+]  abcdefg  zlib");
    CHECK(without_escapes("\x1b[38;5;1mz\x1b[K\x1b(B\x1b=lib") == "zlib");
    CHECK(without_escapes("\x1b]8;;http://x\x1b\\zlib\x1b]8;;\x1b\\ \x1b]0;title\a@1") ==
          "zlib @1");
}

TEST_CASE("What only begins like an escape sequence stays") {
    for (const char* const text :
         {"\x1b", "zlib\x1b[", "zlib\x1b[0;3", "\x1b]0;title", "\x1b[\x1b", "zlib"}) {
        CAPTURE(text);
        CHECK(without_escapes(text) == text);
    }
}

}  // namespace spec_list_test
