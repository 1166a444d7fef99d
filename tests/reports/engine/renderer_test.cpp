#include <limits>
#include <sstream>
#include <stdexcept>

#include "reports/engine/run/run_report.hpp"
#include "reports/questions/specs/found_specs.hpp"
#include "reports/render/formats/renderer.hpp"
#include "reports/render/table/result_table.hpp"
#include "schema/errors/error.hpp"
#include "tests/support/catch.hpp"

namespace renderer_test {

using namespace cacheledger;
using Catch::Matchers::Message;

namespace {

Value integer(std::int64_t value) {
    return value;
}

std::string rendered(const ResultTable& table, Format format, const RenderOptions& options = {}) {
    std::ostringstream out;
    render(table, format, options, out);
    return out.str();
}

/// A table of one column `x`.
std::string cell(const Value& value, Format format) {
    return rendered({{"x"}, {{value}}}, format);
}

const ResultTable specs{{"package", "specs", "share"},
                        {{"zlib", integer(12), 0.5}, {"hdf5", integer(7), Value()}}};

const Pivot by_stack{"package", "stack", "specs", {}};

ResultTable counts(std::vector<std::vector<Value>> rows) {
    return {{"package", "stack", "specs"}, std::move(rows)};
}

}  // namespace

TEST_CASE("Formats have names") {
    CHECK(parse_format("table") == Format::table);
    CHECK(parse_format("html") == Format::html);
    CHECK_THROWS_MATCHES(parse_format("xml"), UsageError,
                         Message("no format 'xml'; there are: table, csv, json, markdown, html"));
}

TEST_CASE("Numbers are written the same, in the shortest form, in every format") {
    const ResultTable numbers{{"x"}, {{0.1}, {1.0}, {1e300}, {1.0 / 3}, {integer(INT64_MIN)}}};
    const std::string csv = rendered(numbers, Format::csv);
    CHECK(csv == "x\n0.1\n1\n1e+300\n0.3333333333333333\n-9223372036854775808\n");
    const std::string json = rendered(numbers, Format::json);
    CHECK(json ==
          "[\n{\"x\": 0.1},\n{\"x\": 1},\n{\"x\": 1e+300},\n{\"x\": 0.3333333333333333},\n"
          "{\"x\": -9223372036854775808}\n]\n");
}

TEST_CASE("table: aligned columns") {
    CHECK(rendered(specs, Format::table) ==
          "package  specs  share\n"
          "-------  -----  -----\n"
          "zlib        12    0.5\n"
          "hdf5         7      -\n");
}

TEST_CASE("table: title and no rows") {
    RenderOptions options;
    options.title = "What\nis built";
    CHECK(rendered({{"a"}, {}}, Format::table, options) == "What\\nis built\n(no rows)\n");
    options.color = true;
    CHECK(rendered({{"a"}, {}}, Format::table, options) ==
          "\x1b[1mWhat\\nis built\x1b[0m\n(no rows)\n");
    CHECK(rendered({}, Format::table) == "(no rows)\n");
}

TEST_CASE("table: what would disturb the terminal is written out") {
    CHECK(cell("a\x1b[2J\nb", Format::table) == "x\n-----------\na\\x1b[2J\\nb\n");
    CHECK(rendered({{"a", "b"}, {{"漢", "x"}, {"abc", Value()}}}, Format::table) ==
          "a    b\n---  -\n漢   x\nabc  -\n");
}

TEST_CASE("csv: quotes where they are needed") {
    const auto field = [](const Value& value) {
        const std::string csv = cell(value, Format::csv);
        return csv.substr(2, csv.size() - 3);
    };
    CHECK(field("zlib") == "zlib");
    CHECK(field("a b") == "a b");
    CHECK(field("a,b") == "\"a,b\"");
    CHECK(field("a\"b") == "\"a\"\"b\"");
    CHECK(field("a\nb") == "\"a\nb\"");
    CHECK(field("a\rb") == "\"a\rb\"");
    CHECK(field(" a") == "\" a\"");
    CHECK(field("a\t") == "\"a\t\"");
    CHECK(field("") == "\"\"");
    CHECK(rendered(specs, Format::csv) == "package,specs,share\nzlib,12,0.5\nhdf5,7,\n");
    CHECK(rendered({{"a,b", ""}, {}}, Format::csv) == "\"a,b\",\"\"\n");
}

TEST_CASE("csv: a row of one NULL is no blank line") {
    CHECK(rendered({{"a"}, {{Value()}, {"x"}, {""}}}, Format::csv) == "a\n\"\"\nx\n\"\"\n");
    CHECK(rendered({{"a", "b"}, {{Value(), Value()}}}, Format::csv) == "a,b\n,\n");
}

TEST_CASE("json: an object a row") {
    CHECK(rendered(specs, Format::json) ==
          "[\n"
          "{\"package\": \"zlib\", \"specs\": 12, \"share\": 0.5},\n"
          "{\"package\": \"hdf5\", \"specs\": 7, \"share\": null}\n"
          "]\n");
    CHECK(rendered({{"a"}, {}}, Format::json) == "[]\n");
    CHECK(cell("a\"\\\n\x01", Format::json) == "[\n{\"x\": \"a\\\"\\\\\\n\\u0001\"}\n]\n");
}

TEST_CASE("json: what JSON can't say") {
    CHECK(cell("a\xff", Format::json) == "[\n{\"x\": \"a\ufffd\"}\n]\n");
    CHECK(cell(std::numeric_limits<double>::infinity(), Format::json) == "[\n{\"x\": null}\n]\n");
    CHECK(rendered({{"a", "a", "a:1", "a"}, {{integer(1), integer(2), integer(3), integer(4)}}},
                   Format::json) == "[\n{\"a\": 1, \"a:2\": 2, \"a:1\": 3, \"a:3\": 4}\n]\n");
    CHECK(rendered({{"\xff"}, {{integer(1)}}}, Format::json) == "[\n{\"\ufffd\": 1}\n]\n");
}

TEST_CASE("markdown: a table for GitHub") {
    CHECK(rendered(specs, Format::markdown) ==
          "| package | specs | share |\n"
          "| --- | ---: | ---: |\n"
          "| zlib | 12 | 0.5 |\n"
          "| hdf5 | 7 |  |\n");
}

TEST_CASE("markdown: values are not markup") {
    const auto field = [](const std::string& text) {
        const std::string markdown = cell(text, Format::markdown);
        const std::string head = "| x |\n| --- |\n| ";
        REQUIRE(markdown.substr(0, head.size()) == head);
        return markdown.substr(head.size(), markdown.size() - head.size() - 3);
    };
    CHECK(field("a|b\\c") == "a\\|b\\\\c");
    CHECK(field("a\nb\r\nc") == "a<br>b<br>c");
    CHECK(field("<b>&") == "&lt;b&gt;&amp;");
    CHECK(field("\x1b") == "\\\\x1b");
    CHECK(field("~ipo build_type=Release ~mpi") == "~ipo build_type=Release ~mpi");
    CHECK(field("+mpi~ipo~cuda") == "+mpi\\~ipo\\~cuda");
    CHECK(field("https://a.b www.a.b w.a $x$") == "https\\://a.b www\\.a.b w.a \\$x\\$");
    CHECK(field("*a* _b_ `c` [d](e)") == "*a\\* _b\\_ \\`c\\` \\[d](e)");
}

TEST_CASE("html: a complete document") {
    RenderOptions options;
    options.title = "A & B";
    const std::string html = rendered(specs, Format::html, options);
    CHECK(html.starts_with("<!DOCTYPE html>\n"));
    CHECK(html.ends_with("</html>\n"));
    CHECK(html.find("<title>A &amp; B</title>") != std::string::npos);
    CHECK(html.find("<tr><th>package</th><th class=\"number\">specs</th>") != std::string::npos);
    CHECK(
        html.find("<tr><td>hdf5</td><td class=\"number\">7</td><td class=\"number\"></td></tr>") !=
        std::string::npos);
}

TEST_CASE("table: a very long cell does not widen every row") {
    const std::string text(5000, 'x');
    const std::string table = rendered({{"a", "b"}, {{text, "y"}, {"x", "y"}}}, Format::table);
    CHECK(table.find(text + "  y\n") != std::string::npos);
    CHECK(table.size() < text.size() + 4000);
}

TEST_CASE("csv and json: nothing acts on a terminal") {
    RenderOptions options;
    options.is_terminal = true;
    CHECK(rendered({{"\x1b"}, {{"a\x1b[2J,\u202e"}}}, Format::csv, options) ==
          "\\x1b\n\"a\\x1b[2J,\\u{202e}\"\n");
    CHECK(cell("é\x1b", Format::json) == "[\n{\"x\": \"é\\u001b\"}\n]\n");
    CHECK(cell("é\u009b\x7f", Format::json) == "[\n{\"x\": \"\\u00e9\\u009b\\u007f\"}\n]\n");
}

TEST_CASE("html: values are not markup") {
    const std::string html = cell("<script>&\n\x1b\xff", Format::html);
    CHECK(html.find("<td>&lt;script&gt;&amp;<br>\\x1b\\xff</td>") != std::string::npos);
}

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

}  // namespace renderer_test
