#include "reports/render/table/result_table.hpp"

#include "reports/questions/specs/found_specs.hpp"
#include "tests/support/catch.hpp"

namespace alike_columns_test {

using namespace cacheledger;

TEST_CASE("Columns that are alike in all rows are taken out of a table") {
    ResultTable table{{"package", "version", "size", "hash"},
                      {{"zlib", "1.3", Value(), "a"}, {"zlib", "1.2", Value(), "a"}}};
    const auto alike = take_alike_columns(table, {"hash"});
    REQUIRE(alike.size() == 2);
    CHECK(alike[0].name == "package");
    CHECK(to_text(alike[0].value) == "zlib");
    CHECK(alike[1].name == "size");
    CHECK(is_null(alike[1].value));
    CHECK(table.columns == std::vector<std::string>{"version", "hash"});
    CHECK(table.rows == std::vector<std::vector<Value>>{{"1.3", "a"}, {"1.2", "a"}});
}

TEST_CASE("A table of one row keeps its columns") {
    ResultTable table{{"package"}, {{"zlib"}}};
    CHECK(take_alike_columns(table, {}).empty());
    CHECK(table.columns.size() == 1);
}

TEST_CASE("The line above a table goes on below its first word if it is too wide") {
    CHECK(alike_line("all:", {"zlib", "linux"}, 0) == "all: zlib linux\n");
    CHECK(alike_line("all:", {"zlib", "linux", "gcc"}, 15) == "all: zlib linux\n     gcc\n");
    CHECK(alike_line("all:", {"far-too-wide"}, 6) == "all: far-too-wide\n");
}

TEST_CASE("Variants are divided into what all builds have and the rest") {
    const auto divided = divide_variants({"+mpi api=a ~ipo", "+mpi api=b ~ipo", "+mpi ~ipo"});
    CHECK(divided.alike == std::vector<std::string>{"~ipo", "+mpi"});
    CHECK(divided.differing == std::vector<Value>{"api=a", "api=b", Value()});
    CHECK(divide_variants({"+mpi", Value()}).alike.empty());
    CHECK(divide_variants({}).alike.empty());
}

}  // namespace alike_columns_test
