#include "reports/render/charts/draw_chart.hpp"

#include <stdexcept>
#include <string>

#include "tests/support/catch.hpp"

namespace chart_test {

using namespace cacheledger;
using Catch::Matchers::Message;

namespace {

const Chart lines{ChartKind::lines, {{"taken_at"}}, {{"specs"}}, {"series", "stack"}};

std::string drawn(const ResultTable& table, const Chart& chart, bool is_alone = true,
                  const ChartWords& words = {.title = "x"}) {
    return draw_chart(table, chart, words, is_alone);
}

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
        drawn(table_of({row("e4s", "2025-01-01", 100), row("e4s", "2025-01-11", 50),
                        row("e4s", "2025-01-21", 100), row("hpc", "2025-01-11", 0)}),
              lines, false, {.title = "Growth"});
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
    const std::string svg = drawn(table, lines);
    CHECK(count(svg, "<path ") == 8);
    CHECK(has(svg, ">stack-29 29,000</text>"));
    CHECK_FALSE(has(svg, "stack-21"));
    CHECK(has(svg, ">12 more are not drawn</text>"));
    CHECK(has(svg, "xmlns=\"http://www.w3.org/2000/svg\""));
}

TEST_CASE("A chart of odd values is still one") {
    CHECK(has(drawn(table_of({}), lines), "specs: no points"));
    CHECK(has(drawn(table_of({row("a", "2025-01-01", Value())}), lines), "specs: no points"));
    const std::string flat = drawn(table_of({row("a", "2025-01-01", 0)}), lines);
    CHECK(has(flat, "d=\"M404.0 280.0H404.0\""));
    const std::string below =
        drawn(table_of({row("a", "2025-01-01", -3), row("a", "2025-01-02", 2.5)}), lines);
    CHECK(has(below, ">-4</text>"));
    CHECK_FALSE(has(below, "nan"));
    const std::string names =
        drawn(table_of({row("<b>&\x1b" + std::string(60, 'n'), "2025-01-01", 1)}), lines);
    CHECK(has(names, ">&lt;b&gt;&amp;\\x1b"));
    CHECK(has(names, std::string(60, 'n') + " 1</text>"));  // never cut
}

TEST_CASE("A chart says which value it can't draw") {
    CHECK_THROWS_MATCHES(drawn(table_of({row("a", "x", 1)}), lines), std::invalid_argument,
                         Message("the chart needs moments, not 'xT00:00:00Z'"));
    CHECK_THROWS_MATCHES(drawn(table_of({row("a", "2025-01-01", "7")}), lines),
                         std::invalid_argument, Message("the chart needs numbers, not '7'"));
    CHECK_THROWS_MATCHES(drawn({{"a"}, {}}, lines), std::invalid_argument,
                         Message("the chart needs a column 'taken_at'"));
}

TEST_CASE("A chart of bars has one for each row, to scale") {
    const Chart chart{ChartKind::bars, {{"cause", "none"}}, {{"added"}, {"removed", true}}};
    const std::string svg = drawn(
        {{"cause", "added", "removed"},
         {{"package", 10, 0}, {Value(), 0, 30}, {"x", Value(), Value()}}},
        chart, true, {.title = "Drift", .caption = "By cause", .units = {{"added", "builds"}}});
    INFO(svg);
    // Zero is at three quarters: 30 to its left, 10 to its right.
    CHECK(
        has(svg, "<rect x=\"524.0\" y=\"1.0\" width=\"149.9\" height=\"16.0\" fill=\"#4a7fdc\"/>"));
    CHECK(has(svg, "width=\"449.7\" height=\"16.0\" fill=\"#d98a12\"/>"));
    CHECK(has(svg, ">By cause</text>"));
    CHECK(has(svg, ">builds</text>"));
    CHECK(has(svg, "<desc id=\"chart-text\">package: +10. none: −30. x: not known. </desc>"));
}

TEST_CASE("Of many bars the greatest are drawn, and the others counted") {
    ResultTable table{{"package", "bytes"}, {}};
    for (int i = 1; i <= 30; ++i) {
        table.rows.push_back({"p" + std::to_string(i), i * 1000000});
    }
    const std::string svg = drawn(table, {ChartKind::bars, {{"package"}}, {{"bytes"}}}, true,
                                  {.title = "x", .units = {{"bytes", "bytes"}}});
    CHECK(count(svg, "<rect ") == 24 + 1);  // and the background
    CHECK(has(svg, ">30 MB</text>"));
    CHECK_FALSE(has(svg, ">p6</text>"));
    CHECK(has(svg, ">6 more are not drawn; these are the greatest</text>"));
}

TEST_CASE("Columns stand upon one another, and what was removed hangs below zero") {
    const Chart chart{
        ChartKind::columns, {{"taken_at"}}, {{"added"}, {"removed", true}}, {"cause"}, "series"};
    const auto on = [](const std::string& day, const char* cause, int added, int removed) {
        return std::vector<Value>{"develop", day + "T00:00:00Z", cause, added, removed};
    };
    const std::string svg =
        drawn({{"series", "taken_at", "cause", "added", "removed"},
               {on("2025-01-01", "version", 30, 20), on("2025-01-01", "rebuilt", 20, 20),
                on("2025-01-11", "version", 50, 0)}},
              chart);
    INFO(svg);
    // From -40 (280) up to 60 (40): 2.4 for each build.
    CHECK(has(svg, "y=\"112.0\" width=\"40.0\" height=\"72.0\" fill=\"#d98a12\""));
    CHECK(has(svg, "y=\"64.0\" width=\"40.0\" height=\"48.0\" fill=\"#74839a\""));
    CHECK(has(svg, "y=\"184.0\" width=\"40.0\" height=\"48.0\" fill=\"#d98a12\""));
    CHECK(has(svg, "y=\"232.0\" width=\"40.0\" height=\"48.0\" fill=\"#74839a\""));
    CHECK(has(svg, "text-anchor=\"end\">40</text>"));  // below zero, too
}

TEST_CASE("Of many parts of an area the least are one part") {
    const Chart chart{ChartKind::areas, {{"taken_at"}}, {{"specs"}}, {"stack"}};
    ResultTable table = table_of({});
    for (int stack = 0; stack < 12; ++stack) {
        table.rows.push_back(row("s" + std::to_string(stack), "2025-01-01", 100 - stack));
        table.rows.push_back(row("s" + std::to_string(stack), "2025-01-02", 100 - stack));
    }
    const std::string svg = drawn(table, chart);
    INFO(svg);
    CHECK(count(svg, "<path ") == 8);
    CHECK(has(svg, ">s6</text>"));
    CHECK_FALSE(has(svg, ">s7</text>"));
    CHECK(has(svg, ">5 other</text>"));
}

TEST_CASE("A curve says when half are gone") {
    const Chart chart{ChartKind::curve, {{"age_days"}}, {{"share"}}, {"series"}};
    const auto curve = [&](std::vector<std::vector<Value>> rows) {
        return drawn({{"series", "age_days", "share"}, std::move(rows)}, chart, true,
                     {.title = "x", .units = {{"age_days", "days"}, {"share", "%"}}});
    };
    const std::string svg =
        curve({{"a", 0, 100}, {"a", 3.5, 50.0}, {"a", 10, 20}, {"b", 0, 100}, {"b", 4, 60}});
    INFO(svg);
    CHECK(has(svg, ">a: half are gone after 3.5 days</text>"));
    CHECK(has(svg, ">b: more than half outlive the greatest age seen</text>"));
    CHECK(has(svg, "<circle cx=\"302.0\" cy=\"160.0\" r=\"4.5\""));  // 64 + 680 * 0.35
    CHECK(has(svg, ">100 %</text>"));
}

TEST_CASE("A graph has a column for each layer, and lines between nodes of two") {
    const Chart chart{
        ChartKind::graph, {{"package"}, {"change"}}, {{"specs"}}, {"dependency"}, "layer"};
    const std::string svg = drawn({{"layer", "package", "change", "specs", "dependency"},
                                   {{0, "zlib", "version: 1 -> 2", 2, Value()},
                                    {1, "hdf5", Value(), 5, "zlib"},
                                    {2, "netcdf", Value(), 7, "hdf5"},
                                    {2, "other", Value(), 7, "nothing"}}},
                                  chart);
    INFO(svg);
    CHECK(has(svg, ">zlib 2</text>"));
    CHECK(has(svg, ">version: 1 -&gt; 2</text>"));
    CHECK(count(svg, "<line ") == 4);  // two of them lead from a name to the others
    CHECK(count(svg, "<circle ") == 4);
}

TEST_CASE("Each value of a column has a panel, and some are counted only") {
    ResultTable table{{"series", "age", "gone"}, {}};
    for (int series = 0; series < 8; ++series) {
        table.rows.push_back({"s" + std::to_string(series), "old", series});
    }
    const std::string svg = drawn(table, {ChartKind::bars, {{"age"}}, {{"gone"}}, {}, "series"});
    CHECK(has(svg, ">s5</text>"));
    CHECK_FALSE(has(svg, ">s6</text>"));
    CHECK(has(svg, ">2 more of 'series' are not drawn</text>"));
}

}  // namespace chart_test
