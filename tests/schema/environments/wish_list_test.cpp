#include "schema/specs/environments/wish_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "schema/errors/error.hpp"
#include "tests/support/catch.hpp"

namespace wish_list_test {

using namespace cacheledger;
using Lines = std::vector<std::string>;

namespace {

/// "6 hdf5 +mpi", "9 cuda: hdf5": line, group and spec.
Lines wishes(const WishList& list) {
    Lines lines;
    for (const Wish& wish : list.wishes) {
        const std::string group = wish.group.empty() ? "" : wish.group + ": ";
        lines.push_back(fmt::format("{} {}{}", wish.line, group, wish.spec));
    }
    return lines;
}

Lines findings(const WishList& list) {
    Lines lines;
    for (const WishFinding& finding : list.findings) {
        lines.push_back(fmt::format("{}: {}", finding.line, finding.detail));
    }
    return lines;
}

WishList read(const std::string& sections) {
    return read_wish_list("spack:\n" + sections, "spack.yaml");
}

std::string error_of(const std::string& text) {
    return thrown<InputError>([&] { read_wish_list(text, "spack.yaml"); }, "no error");
}

}  // namespace

TEST_CASE("The specs of a spack.yaml are expanded as Spack does") {
    struct Case {
        std::string sections;
        Lines wishes;
    };
    const std::vector<Case> cases = {
        {"  specs: [hdf5, 'zlib@1.3', \"hdf5\"]\n", {"2 hdf5", "2 zlib@1.3"}},
        {"  specs:\n  - 7zip  # a comment\n  - >-\n    hdf5 +mpi\n      ~shared\n",
         {"3 7zip", "4 hdf5 +mpi ~shared"}},
        {"  definitions:\n  - a: [hdf5]\n  - b: [$a, zlib]\n  - a: [zfp]\n  specs: [$b]\n",
         {"3 hdf5", "5 zfp", "4 zlib"}},
        {"  definitions:\n  - p: [hdf5, zfp +x]\n  - c: [gcc@11, llvm]\n  - m: [mpich]\n  specs:\n"
         "  - matrix:\n    - [$p]\n    - [$%c]\n    - [$^m]\n",
         {"7 hdf5 %gcc@11 ^mpich", "7 hdf5 %llvm ^mpich", "7 zfp +x %gcc@11 ^mpich",
          "7 zfp +x %llvm ^mpich"}},
        // What stands behind a dependency is still of the spec itself.
        {"  specs:\n  - matrix: [[hdf5 ^zlib], [+mpi, ~mpi]]\n",
         {"3 hdf5 +mpi ^zlib", "3 hdf5 ~mpi ^zlib"}},
        {"  definitions:\n  - d:\n    - matrix: [[a, b], [+x, ~x]]\n      exclude: [a +x, 'b ~x']\n"
         "  specs: [$d]\n",
         {"4 a ~x", "4 b +x"}},
        {"  specs:\n  - zlib\n  - group: g\n    needs: [g]\n    specs: [zlib, $x]\n  definitions:\n"
         "  - x: [hdf5]\n",
         {"3 zlib", "6 g: zlib", "8 g: hdf5"}},
        {"  specs: &list [hdf5]\n  definitions:\n  - x: *list\n", {"2 hdf5"}},
        {"  specs: []\n", {}},
        {"  view: false\n", {}},
    };
    for (const Case& one : cases) {
        INFO(one.sections);
        const WishList list = read(one.sections);
        CHECK(wishes(list) == one.wishes);
        CHECK(findings(list).empty());
    }
    CHECK(wishes(read_wish_list("env:\n  specs: [zlib]\n", "env.yaml")) == Lines{"2 zlib"});
}

TEST_CASE("What is not understood of a spack.yaml is a finding with its line") {
    struct Case {
        std::string sections;
        Lines wishes, findings;
    };
    const std::vector<Case> cases = {
        {"  spec: [a]\n", {}, {"2: 'spec' is not known"}},
        {"  definitions:\n  - a: [b]\n    when: os == 'x'\n  - a: [c]\n  specs: [$a]\n",
         {"5 c"},
         {"3: definitions: 'when' of a depends on the machine: its specs are left out"}},
        {"  specs: [$a, b]\n", {"2 b"}, {"2: specs: '$a' is not defined above: left out"}},
        {"  specs:\n  - 3\n  -\n  - c\n",
         {"5 c"},
         {"3: specs: expected a spec, found a number or boolean (3)",
          "5: specs: expected a spec, found nothing"}},
        {"  specs:\n  - matrx: [[a]]\n  - b\n",
         {"4 b"},
         {"3: specs: expected matrix or exclude, found 'matrx': the entry is left out"}},
        {"  specs: ['a@@1', +b, a ^c]\n",
         {"2 a ^c"},
         {"2: specs: spec 'a@@1', column 3: expected a version like 1.14, =1.14.3, 1.12:1.14 or "
          "git.main, found '@1': left out",
          "2: specs: expected a package, found '+b': left out"}},
        {"  toolchains: {t: '%gcc'}\n  specs: [a %t]\n",
         {},
         {"3: specs: 'a %t' asks for a toolchain, which is not followed: left out"}},
        {"  specs:\n  - matrix: [[a], [+x, ~x], [+x]]\n",
         {"3 a +x"},
         {"3: specs: 'a ~x +x' asks for two values, ~x and +x: left out"}},
        {"  specs:\n  - matrix: [[a ^mpich, 'b@1:2']]\n    exclude: [a ^mpi, 'b@2:3,5']\n",
         {"3 a ^mpich", "3 b@1:2"},
         {"3: exclude: whether 'a ^mpich' has 'a ^mpi' is not known: it stays"}},
        {"  specs:\n  - group: g\n    specs: [a]\n    wants: b\n    override: {specs: [c]}\n",
         {"4 g: a"},
         {"5: group g: 'wants' is not known", "6: override: 'specs' is not known"}},
    };
    for (const Case& one : cases) {
        INFO(one.sections);
        const WishList list = read(one.sections);
        CHECK(wishes(list) == one.wishes);
        CHECK(findings(list) == one.findings);
    }
}

TEST_CASE("A finding says whether it leaves out some of what is wanted") {
    struct Case {
        std::string sections;
        std::vector<bool> leave_out;
    };
    const std::vector<Case> cases = {
        {"  spec: [a]\n", {false}},
        {"  specs: ['a@@1', +b, 3, $c]\n", {true, true, true, true}},
        {"  specs:\n  - {}\n  - matrix: 3\n  - matrix: [b]\n  - matrx: []\n",
         {true, true, true, true}},
        {"  definitions:\n  - a: [b, 3]\n    when: os == 'x'\n  - c: [4]\n  specs: [b]\n",
         {false, false}},
        {"  definitions:\n  - a: [b]\n    when: os == 'x'\n  - c: [$a]\n  specs: [$c]\n", {true}},
        {"  specs:\n  - matrix: [[a ^mpich]]\n    exclude: [a ^mpi, '@@']\n", {true, true}},
        {"  specs: [a]\n  packages: {a: {require: '@@', prefer: '@@', x: y}}\n",
         {true, false, false}},
        {"  specs:\n  - group: g\n    needs: [nope]\n    specs: [a]\n", {false}},
        {"  specs:\n  - group: g\n", {true}},
    };
    for (const Case& one : cases) {
        INFO(one.sections);
        std::vector<bool> leave_out;
        for (const WishFinding& finding : read(one.sections).findings) {
            leave_out.push_back(finding.leaves_out);
        }
        std::sort(leave_out.begin(), leave_out.end(), std::greater<>());
        CHECK(leave_out == one.leave_out);
    }
}

TEST_CASE("A long spec, and a group that is needed and not there, are findings") {
    const Lines found = findings(read("  specs: ['a " + std::string(20'000, '+') + "']\n"));
    REQUIRE(found.size() == 1);
    CHECK(found[0].find("expected a spec of at most 16384 bytes, found 20002") !=
          std::string::npos);
    CHECK(findings(read("  specs:\n  - group: g\n    needs: [nope]\n    specs: [a]\n")) ==
          Lines{"4: group g: needs 'nope', which is no group"});
}

TEST_CASE("Notes name what a spack.yaml includes, and what it requires of compilers") {
    const WishList list = read(
        "  include: [../ci, {path: https://host/x.yaml, sha256: a}]\n  specs: [hdf5]\n"
        "  packages:\n    mpi: {require: mpich}\n    hdf5: {require: +mpi}\n    c: {require: "
        "gcc}\n    cxx: {prefer: gcc}\n");
    CHECK(list.not_read == "What it includes is not read: ../ci, https://host/x.yaml.");
    CHECK(list.notes == Lines{"What it requires of compilers is not judged: c."});
}

TEST_CASE("What packages require of dependencies is read by their names") {
    const std::string text =
        "spack:\n  specs: [hdf5]\n  packages:\n    mpi: {require: ['mpich@4', +x]}\n    zlib: "
        "{conflict: '@1'}\n    gcc: {require: '@9'}\n    all: {require: +y}\n    a: {prefer: "
        "+z}\n";
    const WishList list = read_wish_list(text, "spack.yaml", {{}, true});
    REQUIRE(list.wishes.size() == 1);
    REQUIRE(list.wishes[0].of_dependencies != nullptr);
    std::string words;
    for (const auto& [name, conditions] : *list.wishes[0].of_dependencies) {
        words += fmt::format("{}: {}\n", name, words_of_requirements(conditions));
    }
    CHECK(words == "mpi: mpich@4 +x\nzlib: conflicts with @1\n");
    CHECK(read_wish_list(text, "spack.yaml").wishes[0].of_dependencies == nullptr);
}

TEST_CASE("What is not buildable is external") {
    const auto external = [](const std::string& packages) {
        std::string names;
        for (const Wish& wish :
             read("  specs: [a, b, a/abcdefg]\n  packages: " + packages + "\n").wishes) {
            names += wish.is_external ? wish.spec : "";
        }
        return names;
    };
    CHECK(external("{a: {buildable: false}}") == "a");
    CHECK(external("{a: {buildable: False, externals: [{spec: a@1, prefix: /usr}]}}") == "a");
    CHECK(external("{a: {externals: [{spec: a@1, prefix: /usr}]}}").empty());
    CHECK(external("{all: {buildable: false}, a: {buildable: true}}") == "b");
}

TEST_CASE("What is no spack.yaml is an error with its place") {
    CHECK(error_of("") == "spack.yaml:1: expected a mapping with the key 'spack', found nothing");
    CHECK(error_of("a: 1\n") ==
          "spack.yaml:1: expected a mapping with the key 'spack', found others");
    CHECK(error_of("spack: [a]\n") ==
          "spack.yaml:1: expected the sections of 'spack', found a list");
    CHECK(error_of("spack:\n  specs: hdf5\n") ==
          "spack.yaml:2: expected a list of specs, found a text");
    CHECK(error_of("spack:\n  specs: [a\n").starts_with("spack.yaml:3: expected YAML: "));
    CHECK(error_of("spack:\n  specs: []\n  specs: []\n") ==
          "spack.yaml:3: expected each key once, found 'specs' again");
    CHECK(error_of("spack:\n---\nspack:\n") ==
          "spack.yaml:3: expected one YAML document, found another one");
    CHECK(error_of(std::string("spack:\n\0", 8)) ==
          "spack.yaml:2: expected text, found a NUL character");
}

TEST_CASE("No spack.yaml takes all memory or the stack") {
    const auto repeated = [](const std::string& text, int times) {
        std::string all;
        for (int i = 0; i < times; ++i) {
            all += text;
        }
        return all;
    };
    CHECK(error_of("spack: {specs: " + repeated("[", 100000)).find("expected") !=
          std::string::npos);
    CHECK(error_of("spack:\n  specs:\n  " + repeated("- ", 100000)) ==
          "spack.yaml:3: expected less nesting");
    CHECK(error_of("spack:\n  specs: &x [*x]\n") == "spack.yaml:2: expected less nesting");
    std::string bomb = "a0: &a0 [x]\n";
    std::string definitions = "spack:\n  definitions:\n  - a0: [x, y, z, w]\n";
    for (int i = 1; i < 12; ++i) {
        bomb += fmt::format("a{0}: &a{0} [{1}]\n", i, repeated(fmt::format("*a{},", i - 1), 9));
        definitions += fmt::format("  - a{}: [{}]\n", i, repeated(fmt::format("$a{},", i - 1), 9));
    }
    CHECK(error_of(bomb + "spack: {specs: *a11}\n").find("expected at most 500,000 values") !=
          std::string::npos);
    CHECK(error_of(definitions + "  specs: [$a11]\n").find("expected at most 100000 specs") !=
          std::string::npos);
    const std::string row = "[" + repeated("+x,", 1000) + "]";
    CHECK(error_of("spack:\n  specs:\n  - matrix: [" + row + "," + row + "]\n") ==
          "spack.yaml:3: expected at most 100000 specs in all");
    const std::string versions = repeated("'@1',", 1000);
    const std::string list = "[" + versions + "]";
    CHECK(error_of("spack:\n  specs:\n  - matrix: [[a], " + list + "]\n    exclude: [" +
                   repeated("b,", 1001) + "]\n") ==
          "spack.yaml:3: expected at most 1000000 combinations of matrices times entries of "
          "'exclude' in all");
    std::string specs;
    for (int i = 0; i < 501; ++i) {
        specs += fmt::format("a@{},", i);
    }
    CHECK(error_of("spack:\n  packages: {a: {require: [{any_of: " + list + "}]}}\n  specs: [" +
                   specs + "]\n") ==
          "spack.yaml:3: expected at most 500000 requirements in all, counted for each spec");
    CHECK(error_of("spack:\n  specs: [" + repeated(" ", 17 << 20) + "]\n") ==
          "spack.yaml:1: expected at most 16 MiB of YAML");
}

TEST_CASE("A spack.yaml is known by a line that begins with its key") {
    const std::vector<std::pair<std::string, bool>> cases = {
        {"spack:\n", true},
        {"# c\n\n  # d\n---\nspack:\r\n  view: x\n", true},
        {"spack: {specs: []}", true},
        {"\xef\xbb\xbfspack:\n", true},
        {"spackle:\n", false},
        {"definitions:\n- a: []\nspack:\n", true},
        {"\"spack\": {}\n", true},
        {"'spack':\n", true},
        {"{spack: {specs: []}}\n", true},
        {"env:\n  specs: []\n", true},
        {"spack\":\n", false},
        {"a: 1\nenv:\n", false},
        {"{a: 1}\n", false},
        {"  spack:\n", false},
        {"---\ntitle: x\n", false},
        {"", false},
        {"- hdf5\n", false},
    };
    for (const auto& [text, is_one] : cases) {
        INFO(text);
        CHECK(is_environment(text) == is_one);
    }
}

}  // namespace wish_list_test
