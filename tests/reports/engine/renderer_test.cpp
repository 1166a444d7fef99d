#include "reports/render/formats/renderer.hpp"

#include <limits>
#include <sstream>

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

}  // namespace renderer_test
