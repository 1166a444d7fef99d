#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>

#include "reports/render/formats/renderer.hpp"
#include "tests/support/catch.hpp"

namespace table_test {

using namespace cacheledger;

namespace {

Value integer(std::int64_t value) {
    return value;
}

/// The table on a terminal of this width; 0: in a file or pipe.
std::string on_screen(const ResultTable& table, std::size_t width) {
    RenderOptions options;
    options.width = width;
    std::ostringstream out;
    render(table, Format::table, options, out);
    return out.str();
}

const ResultTable builds{{"package", "os", "target", "variants", "specs"},
                         {{"py-safetensors", "ubuntu24.04", "x86_64_v3",
                           "build_system=makefile +optimize +pic +shared", integer(3)},
                          {"zlib", "ubuntu24.04", "aarch64", "~mpi", integer(12)}}};

}  // namespace

TEST_CASE("A table that fits is as it is in a file") {
    CHECK(on_screen(builds, 200) == on_screen(builds, 0));
    CHECK(on_screen(builds, 94) == on_screen(builds, 0));
}

TEST_CASE("What is alike in all rows moves above a table that is too wide") {
    CHECK(on_screen(builds, 85) ==
          "all rows: os ubuntu24.04\n"
          "package         target     variants                                      specs\n"
          "--------------  ---------  --------------------------------------------  -----\n"
          "py-safetensors  x86_64_v3  build_system=makefile +optimize +pic +shared      3\n"
          "zlib            aarch64    ~mpi                                             12\n");
}

TEST_CASE("Texts that do not fit are folded, keys and numbers are not") {
    CHECK(on_screen(builds, 60) ==
          "all rows: os ubuntu24.04\n"
          "package         target     variants                    specs\n"
          "--------------  ---------  --------------------------  -----\n"
          "py-safetensors  x86_64_v3  build_system=makefile           3\n"
          "                           +optimize +pic +shared\n"
          "zlib            aarch64    ~mpi                           12\n");
}

TEST_CASE("Rows that do not fit side by side are records") {
    const ResultTable keys{
        {"package", "version", "specs"},
        {{"py-safetensors", "0.5.3-rc1", integer(3)}, {"zlib", "1.3.1", integer(12)}}};
    CHECK(on_screen(keys, 12) ==
          "package\n"
          "  py-safetensors\n"
          "version\n"
          "  0.5.3-rc1\n"
          "specs\n"
          "  3\n"
          "\n"
          "package\n"
          "  zlib\n"
          "version\n"
          "  1.3.1\n"
          "specs\n"
          "  12\n");
}

TEST_CASE("Rows that are all alike keep a column") {
    CHECK(on_screen({{"package", "version"}, {{"zlib", "1.3.1"}, {"zlib", "1.3.1"}}}, 12) ==
          "all rows:\n"
          "  version 1.3.1\n"
          "package\n"
          "-------\n"
          "zlib\n"
          "zlib\n");
}

TEST_CASE("A single column is not folded: a row is a line") {
    const ResultTable table{{"x"}, {{"abc def"}, {"g"}}};
    CHECK(on_screen(table, 4) == on_screen(table, 0));
}

TEST_CASE("Columns that follow from others are left out where they do not fit") {
    ResultTable table{{"name", "tag", "specs"},
                      {{"develop@2025-03-30", "develop", integer(1)},
                       {"v0.21.0@2025-03-30", "v0.21.0", integer(2)}}};
    table.implied = {"tag"};
    CHECK(on_screen(table, 34) == on_screen(table, 0));
    CHECK(on_screen(table, 30) ==
          "name                specs\n"
          "------------------  -----\n"
          "develop@2025-03-30      1\n"
          "v0.21.0@2025-03-30      2\n");
}

TEST_CASE("The last text goes below its row where that takes fewer lines") {
    const ResultTable table{
        {"package", "version", "options", "added"},
        {{"hdf5", "1.14.6", "api: default -> v18; build_type: Release -> Debug", integer(3)},
         {"zlib", "1.3.1", "+pic added", integer(12)},
         {"cmake", "3.31", Value(), integer(1)}}};
    CHECK(on_screen(table, 40) ==
          "package  version  added  options\n"
          "-------  -------  -----  ---------------\n"
          "hdf5     1.14.6       3\n"
          "    api: default -> v18; build_type:\n"
          "    Release -> Debug\n"
          "zlib     1.3.1       12  +pic added\n"
          "cmake    3.31         1  -\n");
}

TEST_CASE("Several columns go below, each below its name") {
    const ResultTable table{
        {"package", "compiler", "variants", "hash", "stacks"},
        {{"hdf5", "intel-oneapi-compilers@2024.0.2", "+mpi ~shared", "abcdefg", "e4s,tutorial"},
         {"zlib", "gcc@13.2.0", Value(), "hijklmn", Value()},
         {"zlib", "gcc@12.2.0", "+pic", "opqrstu", "radiuss"}}};
    CHECK(on_screen(table, 60) ==
          "package  compiler                         hash\n"
          "    variants      stacks\n"
          "-------  -------------------------------  -------\n"
          "hdf5     intel-oneapi-compilers@2024.0.2  abcdefg\n"
          "    +mpi ~shared  e4s,tutorial\n"
          "zlib     gcc@13.2.0                       hijklmn\n"
          "zlib     gcc@12.2.0                       opqrstu\n"
          "    +pic          radiuss\n");
}

TEST_CASE("Keys that do not fit in two lines take more, and stay whole") {
    const ResultTable table{
        {"package", "version", "compiler", "hash"},
        {{"hdf5", "1.14.6", "intel-oneapi-compilers@2024.0.2", "3ib3fxvqkd4p2kvtzwdbqpd7xkrsgzws"},
         {"zlib", "1.3.1", "gcc@13.2.0", "wl3xmuelq2xqfyyxbajhwzpu7wjjcodd"}}};
    CHECK(on_screen(table, 40) ==
          "package  version\n"
          "    compiler\n"
          "    hash\n"
          "-------  -------\n"
          "hdf5     1.14.6\n"
          "    intel-oneapi-compilers@2024.0.2\n"
          "    3ib3fxvqkd4p2kvtzwdbqpd7xkrsgzws\n"
          "zlib     1.3.1\n"
          "    gcc@13.2.0\n"
          "    wl3xmuelq2xqfyyxbajhwzpu7wjjcodd\n");
}

TEST_CASE("What all rows of a column of lists have in common stands above") {
    ResultTable table{{"package", "differs"},
                      {{"zlib", "os: rocky9 -> fedora42; compiler: gcc@11.5.0 -> gcc@15.2.1"},
                       {"curl", "os: rocky9 -> fedora42; recipe"},
                       {"xz", "os: rocky9 -> fedora42"}}};
    CHECK(on_screen(table, 50) ==
          "all rows: differs os: rocky9 -> fedora42\n"
          "package  differs\n"
          "-------  ----------------------------------\n"
          "zlib     compiler: gcc@11.5.0 -> gcc@15.2.1\n"
          "curl     recipe\n"
          "xz\n");
    CHECK(on_screen(table, 200) == on_screen(table, 0));
    table.rows.push_back({"gmake", "no build"});  // no list: then nothing stands above
    CHECK(on_screen(table, 50).find("rows") == std::string::npos);
}

TEST_CASE("A column without any value is a line, but for the first one") {
    const ResultTable table{{"package", "bytes", "specs"},
                            {{Value(), Value(), integer(1)}, {"xz", Value(), integer(2)}}};
    for (const unsigned width : {0U, 80U}) {
        CHECK(on_screen(table, width) ==
              "no row has a value: bytes\n"
              "package  specs\n"
              "-------  -----\n"
              "-            1\n"
              "xz           2\n");
    }
    CHECK(on_screen({{"package", "bytes"}, {{"xz", Value()}}}, 0).find("bytes") < 20);
}

TEST_CASE("Long lists of differences are shortened where rows would take too many lines") {
    const std::string list =
        "os: ubuntu24.04 -> sles15; target: x86_64_v3 -> zen (may not run there); version: 1.0 -> "
        "1.2; compiler: gcc@13.2.0 -> gcc@7.5.0; recipe";
    ResultTable table{{"wave", "package", "version", "hash", "nearest", "differs"}, {}};
    for (std::int64_t row = 0; row < 20; ++row) {
        const bool is_there = row % 3 != 0;
        table.rows.push_back({integer(row), "ca-certificates-mozilla", "2025-05-20", "/nsedkh6",
                              is_there ? Value(std::to_string(row)) : Value(),
                              is_there ? std::to_string(row) + list : "no build"});
    }
    table.rows[0][1] = "xz";
    table.rows[0][2] = "1";
    table.rows[0][3] = "/abcdefg";
    const auto lines = [&](std::size_t width) {
        const std::string text = on_screen(table, width);
        return std::count(text.begin(), text.end(), '\n');
    };
    CHECK(lines(300) == 22);
    CHECK(lines(80) <= 36);
    CHECK(on_screen(table, 80).find(
              "\n    1os: ubuntu24.04 -> sles15; target, version, compiler, recipe\n") !=
          std::string::npos);
}

TEST_CASE("A cell that is what the lists have in common is one of them") {
    const ResultTable table{{"package", "options"},
                            {{"netcdf", "build_system: makefile -> bundle|makefile; ~mpi added"},
                             {"hdf5", "~mpi added; +threadsafe added"},
                             {"netcdf-c", "~mpi added"}}};
    CHECK(on_screen(table, 55) ==
          "all rows: options ~mpi added\n"
          "package   options\n"
          "--------  -----------------------------------------\n"
          "netcdf    build_system: makefile -> bundle|makefile\n"
          "hdf5      +threadsafe added\n"
          "netcdf-c\n");
}

TEST_CASE("A platform that follows from the system is left out where it does not fit") {
    ResultTable table{{"platform", "os", "target"},
                      {{"darwin", "sequoia", "aarch64"}, {"linux", "rhel8", "x86_64_v3"}}};
    CHECK(on_screen(table, 20) ==
          "os       target\n"
          "-------  ---------\n"
          "sequoia  aarch64\n"
          "rhel8    x86_64_v3\n");
    CHECK(on_screen(table, 40) == on_screen(table, 0));
    table.rows.push_back({"freebsd", "rhel8", "zen"});
    CHECK(on_screen(table, 20).find("freebsd") != std::string::npos);
}

TEST_CASE("With colours, what was added is green and what was removed is red") {
    RenderOptions options;
    options.color = true;
    std::ostringstream out;
    render({{"kind", "package", "added", "removed"},
            {{"package-added", "zlib", integer(2), integer(0)},
             {"package-removed", "hdf5", integer(0), integer(3)}}},
           Format::table, options, out);
    CHECK(out.str() ==
          "kind             package  added  removed\n"
          "---------------  -------  -----  -------\n"
          "\x1b[32mpackage-added\x1b[0m    zlib         \x1b[32m2\x1b[0m        0\n"
          "\x1b[31mpackage-removed\x1b[0m  hdf5         0        \x1b[31m3\x1b[0m\n");
}

TEST_CASE("A long list of hashes is cut with a count, on a screen only") {
    const ResultTable table{{"package", "hashes"},
                            {{"zlib", "aaaaaaaaaaaa,bbbbbbbbbbbb,cccccccccccc,dddddddddddd"},
                             {"hdf5", "eeeeeeeeeeee,ffffffffffff"}}};
    CHECK(on_screen(table, 80) ==
          "package  hashes\n"
          "-------  --------------------------\n"
          "zlib     aaaaaaa bbbbbbb ... 2 more\n"
          "hdf5     eeeeeeeeeeee,ffffffffffff\n");
    CHECK(on_screen(table, 0).find("bbbbbbbbbbbb,cccccccccccc,dddddddddddd\n") !=
          std::string::npos);
}

TEST_CASE("The commit of a source is cut to ten digits, on a screen only") {
    const std::string commit = "b0b6086ba5cb45708939620999a7f289513e6af6";
    const ResultTable table{
        {"name", "source"},
        {{"develop", "cache@" + commit}, {"v0.21", "pages/" + commit}, {"v0.22", "a@b"}}};
    CHECK(on_screen(table, 80) ==
          "name     source\n"
          "-------  ----------------------------------------------\n"
          "develop  cache@b0b6086ba5\n"
          "v0.21    pages/b0b6086ba5cb45708939620999a7f289513e6af6\n"
          "v0.22    a@b\n");
    CHECK(on_screen(table, 0).find("cache@" + commit) != std::string::npos);
}

TEST_CASE("A matrix has dots for zeros, and is written in groups of columns") {
    ResultTable matrix{
        {"package", "e4s", "ml-linux-x86_64-cpu", "radiuss"},
        {{"zlib", integer(0), integer(2), integer(10)}, {"hdf5", integer(1), integer(0), Value()}}};
    matrix.is_matrix = true;
    CHECK(on_screen(matrix, 0) ==
          "package  e4s  ml-linux-x86_64-cpu  radiuss\n"
          "-------  ---  -------------------  -------\n"
          "zlib       ·                    2       10\n"
          "hdf5       1                    ·        -\n");
    CHECK(on_screen(matrix, 34) ==
          "package  e4s  ml-linux-x86_64-cpu\n"
          "-------  ---  -------------------\n"
          "zlib       ·                    2\n"
          "hdf5       1                    ·\n"
          "\n"
          "package  radiuss\n"
          "-------  -------\n"
          "zlib          10\n"
          "hdf5           -\n");
}

TEST_CASE("Totals stand below the rows, where there are several") {
    ResultTable table{{"package", "variants", "specs"},
                      {{"zlib", "+pic", integer(990)}, {"hdf5", "+mpi", integer(10)}}};
    table.totals = {Value(), Value(), integer(1000)};
    CHECK(on_screen(table, 0) ==
          "package  variants  specs\n"
          "-------  --------  -----\n"
          "zlib     +pic        990\n"
          "hdf5     +mpi         10\n"
          "-------  --------  -----\n"
          "total               1000\n");
    CHECK(on_screen(table, 12).ends_with("\n-------\ntotal\n     1000\n"));
    ResultTable records = table;
    records.rows[0][0] = "py-safetensors";
    CHECK(on_screen(records, 12).ends_with("\ntotal:\n  specs 1000\n"));
    keep_first(table, 1);
    CHECK(on_screen(table, 0) ==
          "package  variants  specs\n"
          "-------  --------  -----\n"
          "zlib     +pic        990\n"
          "1 of 2 rows\n");
}

TEST_CASE("A table that is cut says of how many rows") {
    ResultTable table{{"n"}, {}};
    for (std::int64_t n = 0; n < 1957; ++n) {
        table.rows.push_back({n});
    }
    keep_first(table, 5000);
    CHECK(table.rows_left_out == 0);
    keep_first(table, 2);
    CHECK(on_screen(table, 80) == "n\n-\n0\n1\n2 of 1,957 rows\n");
}

}  // namespace table_test
