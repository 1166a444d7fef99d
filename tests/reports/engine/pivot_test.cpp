#include "reports/engine/run/run_report.hpp"

#include <stdexcept>

#include "tests/support/catch.hpp"

namespace pivot_test {

using namespace cacheledger;
using Catch::Matchers::Message;

namespace {

const Pivot by_stack{"package", "stack", "specs", {}};

Value integer(std::int64_t value) {
    return value;
}

ResultTable counts(std::vector<std::vector<Value>> rows) {
    return {{"package", "stack", "specs"}, std::move(rows)};
}

}  // namespace

TEST_CASE("A pivot makes a matrix: rows as they come, columns in order") {
    const auto matrix = pivot(
        counts(
            {{"zlib", "ml", integer(1)}, {"hdf5", "hpc", integer(2)}, {"zlib", "hpc", integer(3)}}),
        by_stack);
    CHECK(matrix.columns == std::vector<std::string>{"package", "hpc", "ml"});
    REQUIRE(matrix.rows.size() == 2);
    CHECK(matrix.rows[0] == std::vector<Value>{"zlib", integer(3), integer(1)});
    CHECK(matrix.rows[1] == std::vector<Value>{"hdf5", integer(2), Value()});
}

TEST_CASE("A column that stands for no value is the last") {
    const auto matrix = pivot(counts({{"zlib", "(no stack)", integer(1)},
                                      {"zlib", "ml", integer(2)},
                                      {"hdf5", "\x7f", integer(3)}}),
                              by_stack);
    CHECK(matrix.columns == std::vector<std::string>{"package", "ml", "\x7f", "(no stack)"});
    CHECK(matrix.rows[0] == std::vector<Value>{"zlib", integer(2), Value(), integer(1)});
}

TEST_CASE("Column keys may be numbers or NULL") {
    const auto matrix = pivot(counts({{"zlib", "ml", integer(1)},
                                      {"zlib", integer(10), integer(2)},
                                      {"zlib", integer(9), integer(3)},
                                      {"zlib", Value(), integer(4)}}),
                              by_stack);
    CHECK(matrix.columns == std::vector<std::string>{"package", "NULL", "9", "10", "ml"});
}

TEST_CASE("Columns that the pivot doesn't name are left out") {
    const ResultTable table{{"specs", "note", "stack", "package"},
                            {{integer(1), "x", "ml", "zlib"}, {integer(2), "y", "hpc", "zlib"}}};
    const auto matrix = pivot(table, by_stack);
    REQUIRE(matrix.rows.size() == 1);
    CHECK(matrix.rows[0] == std::vector<Value>{"zlib", integer(2), integer(1)});
}

TEST_CASE("No rows give the row key's column alone") {
    const auto matrix = pivot(counts({}), by_stack);
    CHECK(matrix.columns == std::vector<std::string>{"package"});
    CHECK(matrix.rows.empty());
}

TEST_CASE("A cell has one value, be it NULL") {
    CHECK_THROWS_MATCHES(
        pivot(counts({{"zlib", "ml", Value()}, {"zlib", "ml", integer(2)}}), by_stack),
        std::invalid_argument, Message("pivot: two values for package 'zlib', stack 'ml'"));
}

TEST_CASE("A pivot needs its columns") {
    CHECK_THROWS_MATCHES(pivot({{"package", "specs"}, {}}, by_stack), std::invalid_argument,
                         Message("pivot: the query gives no column 'stack'"));
}

TEST_CASE("Columns of versions and compilers are in natural order") {
    const auto columns_of = [](const std::string& name, std::vector<std::string> keys) {
        ResultTable table{{"package", name, "specs"}, {}};
        for (const std::string& key : keys) {
            table.rows.push_back({"zlib", key, integer(1)});
        }
        return pivot(table, {"package", name, "specs", {}}).columns;
    };
    using Names = std::vector<std::string>;
    CHECK(columns_of("version", {"1.10", "develop", "1.9", "1.9rc1"}) ==
          Names{"package", "1.9rc1", "1.9", "1.10", "develop"});
    CHECK(columns_of("compiler", {"gcc@10.2.0", "gcc@9.4.0", "clang@15"}) ==
          Names{"package", "clang@15", "gcc@9.4.0", "gcc@10.2.0"});
    CHECK(columns_of("stack", {"b10", "b9"}) == Names{"package", "b10", "b9"});
}

TEST_CASE("Totals are sums of the numbers of a column, over all rows") {
    ResultTable table{
        {"package", "specs", "bytes", "share"},
        {{"zlib", integer(9), Value(), 0.5}, {"hdf5", integer(3), Value(), integer(1)}}};
    add_totals(table, {"specs", "bytes", "share"});
    CHECK(table.totals == std::vector<Value>{Value(), integer(12), Value(), 1.5});
    CHECK_THROWS_MATCHES(add_totals(table, {"size"}), std::invalid_argument,
                         Message("total: the query gives no column 'size'"));
    ResultTable unknown{{"bytes"}, {{Value()}, {integer(0)}}};
    add_totals(unknown, {"bytes"});
    CHECK(is_null(unknown.totals[0]));
    ResultTable huge{{"n"}, {{integer(INT64_MAX)}, {integer(1)}}};
    add_totals(huge, {"n"});
    CHECK(is_null(huge.totals[0]));
}

}  // namespace pivot_test
