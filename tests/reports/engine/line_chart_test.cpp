#include "reports/render/html/line_chart.hpp"

#include <stdexcept>
#include <string>

#include "tests/support/catch.hpp"

namespace line_chart_test {

using namespace cacheledger;
using Catch::Matchers::Message;

namespace {

const ChartColumns columns{"taken_at", "specs", {"series", "stack"}};

ResultTable table_of(std::vector<std::vector<Value>> rows) {
    return {{"series", "stack", "taken_at", "specs"}, std::move(rows)};
}

std::vector<Value> row(const std::string& stack, const std::string& day, Value specs) {
    return {"develop", stack, day + "T00:00:00Z", std::move(specs)};
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

int count(const std::string& text, const std::string& part) {
    int found = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++found;
    }
    return found;
}

}  // namespace

TEST_CASE("A chart has a step for each moment, to scale") {
    const std::string svg =
        line_chart(table_of({row("e4s", "2025-01-01", 100), row("e4s", "2025-01-11", 50),
                             row("e4s", "2025-01-21", 100), row("hpc", "2025-01-11", 0)}),
                   columns, "Growth", false);
    INFO(svg);
    // From 64 to 744 across, from 280 (0) up to 40 (100); the last value holds to the end.
    CHECK(has(svg, "d=\"M64.0 40.0H404.0V160.0H744.0V40.0H744.0\""));
    CHECK(has(svg, "d=\"M404.0 280.0H744.0\""));
    CHECK(has(svg, "<title id=\"chart-title\">Growth</title>"));
    CHECK(has(svg, "e4s: 100 at 2025-01-01, 100 at 2025-01-21. hpc: 0 at 2025-01-11, "));
    CHECK(has(svg, ">e4s 100</text>"));  // the series is alike in all rows
    CHECK(has(svg, ">2025-01-11</text>"));
    CHECK_FALSE(has(svg, "xmlns"));
}

TEST_CASE("A chart draws the greatest lines, and counts the others") {
    ResultTable table = table_of({});
    for (int stack = 10; stack < 30; ++stack) {
        table.rows.push_back(row("stack-" + std::to_string(stack), "2025-01-01", stack * 1000));
    }
    const std::string svg = line_chart(table, columns, "Many", true);
    CHECK(count(svg, "<path ") == 8);
    CHECK(has(svg, ">stack-29 29,000</text>"));
    CHECK_FALSE(has(svg, "stack-21"));
    CHECK(has(svg, ">12 more are not drawn</text>"));
    CHECK(has(svg, "xmlns=\"http://www.w3.org/2000/svg\""));
}

TEST_CASE("A chart of odd values is still one") {
    CHECK(has(line_chart(table_of({}), columns, "x", true), "specs: no points"));
    CHECK(has(line_chart(table_of({row("a", "2025-01-01", Value())}), columns, "x", true),
              "specs: no points"));
    const std::string flat = line_chart(table_of({row("a", "2025-01-01", 0)}), columns, "x", true);
    CHECK(has(flat, "d=\"M404.0 280.0H404.0\""));
    const std::string below = line_chart(
        table_of({row("a", "2025-01-01", -3), row("a", "2025-01-02", 2.5)}), columns, "x", true);
    CHECK(has(below, ">-4</text>"));
    CHECK_FALSE(has(below, "nan"));
    const std::string names = line_chart(
        table_of({row("<b>&\x1b" + std::string(60, 'n'), "2025-01-01", 1)}), columns, "x", true);
    CHECK(has(names, ">&lt;b&gt;&amp;\\x1b"));
    CHECK(has(names, "n… 1</text>"));
}

TEST_CASE("A chart says which value it can't draw") {
    CHECK_THROWS_MATCHES(line_chart(table_of({row("a", "x", 1)}), columns, "x", true),
                         std::invalid_argument,
                         Message("the chart needs moments, not 'xT00:00:00Z'"));
    CHECK_THROWS_MATCHES(line_chart(table_of({row("a", "2025-01-01", "7")}), columns, "x", true),
                         std::invalid_argument, Message("the chart needs numbers, not '7'"));
    CHECK_THROWS_MATCHES(line_chart({{"a"}, {}}, columns, "x", true), std::invalid_argument,
                         Message("the chart needs a column 'taken_at'"));
}

}  // namespace line_chart_test
