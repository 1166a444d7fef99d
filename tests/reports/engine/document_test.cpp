#include <stdexcept>
#include <string>
#include <vector>

#include "reports/questions/diff/diff.hpp"
#include "reports/render/charts/draw_chart.hpp"
#include "reports/render/document/document.hpp"
#include "reports/render/table/text_width.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/shown.hpp"

namespace document_test {

using namespace cacheledger;
using Catch::Matchers::Message;
using Parts = std::vector<DocumentPart>;

namespace {

const ResultTable fruits{
    {"hash", "count"},
    {{"apple", std::int64_t{3}}, {"pear", std::int64_t{1}}, {"apple", std::int64_t{2}}}};

/// What each question sets.
Document plain_document() {
    Document document;
    document.title = "fruits";
    document.lines = {"Two fruits.", "One of them twice."};
    document.notes = {"One of them twice."};
    document.parts = [] { return Parts{{"Fruits", fruits}, {"None", {{"none"}, {}}}}; };
    document.rows = [] { return fruits; };
    return document;
}

/// All that a document can have.
Document full_document() {
    Document document = plain_document();
    document.all_parts = document.parts;
    document.fields = [] {
        return std::vector<DocumentField>{{"name", Value("fruits")},
                                          {"known", std::int64_t{1}},
                                          {"few", fruits},
                                          {"all", std::vector{fruits}}};
    };
    document.command = "eat";
    document.title_of_gates = "fruits";
    document.summary = "two fruits";
    return document;
}

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

TEST_CASE("A document for people has lines, and tables with the first rows") {
    CHECK(shown(plain_document()) ==
          "Two fruits.\nOne of them twice.\n\nFruits\nhash   count\n-----  -----\napple      3\n"
          "pear       1\napple      2\n");
    RenderOptions options;
    options.most_rows = 1;
    CHECK(shown(plain_document(), Format::table, options)
              .ends_with("1 of 3 rows (--all shows them)\n"));
}

TEST_CASE("Rows can have lists of rows in JSON") {
    Document document;
    const ResultTable seeds{{"seed"}, {{"black \"1\""}, {"white"}}};
    const ResultTable two{{"hash"}, {{"apple"}, {"pear"}}};
    document.fields = [&] {
        return std::vector<DocumentField>{
            {"name", Value("fruits")},
            {"few", NestedRows{two, "seeds", {seeds, {{"seed"}, {}}}}},
            {"none", NestedRows{{{"hash"}, {}}, "seeds", {}}}};
    };
    CHECK(shown(document, Format::json) ==
          "{\"name\": \"fruits\",\n\"few\": [\n{\"hash\": \"apple\", \"seeds\": [{\"seed\": "
          "\"black \\\"1\\\"\"}, "
          "{\"seed\": \"white\"}]},\n{\"hash\": \"pear\", \"seeds\": []}\n]\n,\"none\": []\n}\n");
}

TEST_CASE("A part of a document can stay whole, say that it is empty, and stand for more rows") {
    Document document;
    DocumentPart part{"Fruits", fruits};
    document.parts = [&part] { return Parts{part}; };
    RenderOptions options;
    options.most_rows = 2;
    const auto text = [&] { return shown(document, Format::table, options); };
    part.is_whole = true;
    CHECK(text().ends_with("apple      2\n"));
    part.is_whole = false;
    part.group_rows = 1234;
    CHECK(text().ends_with("2 of 3 rows (--all shows all 1,234 rows)\n"));
    options.most_rows = 3;
    CHECK(text().ends_with("apple      2\n(--all shows all 1,234 rows)\n"));
    part = {"Fruits", {{"none"}, {}}};
    CHECK(text().empty());
    part.shows_empty = true;
    part.is_apart = false;
    CHECK(text() == "Fruits\n(no rows)\n");
    part = {"A heading", {}, {{"label:", {"some", "words"}}}};
    CHECK(text() == "\nA heading\nlabel: some words\n");
}

TEST_CASE(
    "Formats without a place for the lines of a document have its rows, and notes beside them") {
    const Document document = plain_document();
    for (const Format format : {Format::csv, Format::json, Format::markdown, Format::html}) {
        CHECK(needs_notes(document, format));
    }
    CHECK_FALSE(needs_notes(document, Format::table));
    CHECK(shown(document, Format::csv) == "hash,count\napple,3\npear,1\napple,2\n");
    CHECK(shown(document, Format::json).starts_with("[\n{\"hash\": \"apple\", \"count\": 3},\n"));
    CHECK(shown(document, Format::markdown).starts_with("| hash | count |\n"));
    CHECK(shown(document, Format::html).find("<h1>fruits</h1>") != std::string::npos);
    CHECK(shown(document, Format::hashes) == "apple\npear\n");
}

TEST_CASE("A document has its lines and fields in the formats that have a place for them") {
    Document document = full_document();
    CHECK_FALSE(needs_notes(document, Format::json));
    CHECK_FALSE(needs_notes(document, Format::html));
    CHECK(needs_notes(document, Format::csv));
    CHECK(shown(document, Format::markdown)
              .starts_with("Two fruits.\n\nOne of them twice.\n\n## Fruits\n\n| hash |"));
    CHECK(shown(document, Format::html).find("<p>One of them twice.</p>") != std::string::npos);
    document.gates = {{"sweet", true, "too sweet"}};
    const std::string rows =
        "\n{\"hash\": \"apple\", \"count\": 3},\n{\"hash\": \"pear\", \"count\": 1},\n"
        "{\"hash\": \"apple\", \"count\": 2}\n]";
    CHECK(shown(document, Format::json) ==
          "{\"name\": \"fruits\", \"known\": 1,\n\"few\": [" + rows +
              "\n,\"gates\": [\n{\"gate\": \"sweet\", \"outcome\": \"failed\", \"message\": "
              "\"too sweet\"}\n]\n,\"all\": [" +
              rows + "}\n");
    CHECK(shown(document, Format::github) ==
          "::error title=cacheledger eat%3A sweet::fruits: too sweet\n");
    CHECK(shown(document, Format::junit).find("<failure message=\"too sweet\">") !=
          std::string::npos);
    document.gates[0].has_failed = false;
    CHECK(shown(document, Format::github) ==
          "::notice title=cacheledger eat::fruits: two fruits\n");
}

TEST_CASE("Width is what a terminal shows") {
    CHECK(display_width("") == 0);
    CHECK(display_width("zlib") == 4);
    CHECK(display_width("é") == 1);
    CHECK(display_width("e\u0301") == 1);
    CHECK(display_width("漢字") == 4);
    CHECK(display_width("📦") == 2);
    CHECK(display_width("a\xff") == 2);
}

TEST_CASE("What would not show is written out") {
    CHECK(visible("zlib@1.3 ~ipo") == "zlib@1.3 ~ipo");
    CHECK(visible("漢字 é 📦") == "漢字 é 📦");
    CHECK(visible("a\nb\tc\r") == "a\\nb\\tc\\r");
    CHECK(visible("\x1b[31mred\x7f") == "\\x1b[31mred\\x7f");
    CHECK(visible(std::string_view("\0", 1)) == "\\x00");
    CHECK(visible("a\u202eb\u2066") == "a\\u{202e}b\\u{2066}");
    CHECK(visible("\u009b") == "\\u{9b}");
    CHECK(visible("\u200b\ufeff\u2028") == "\\u{200b}\\u{feff}\\u{2028}");
    CHECK(visible("a\u200db\u200c\ufe0f") == "a\\u{200d}b\\u{200c}\\u{fe0f}");
    CHECK(visible("👩\u200d🔬 ☀\ufe0f") == "👩\u200d🔬 ☀\ufe0f");
    CHECK(visible("a\u00ad\u3164\u115f\u034f") == "a\\u{ad}\\u{3164}\\u{115f}\\u{34f}");
    CHECK(visible("C:\\tmp") == "C:\\tmp");
}

TEST_CASE("Bytes that are not UTF-8 are written out") {
    CHECK(visible("a\xff\xfe") == "a\\xff\\xfe");
    CHECK(visible("\xe6\xbc") == "\\xe6\\xbc");           // cut short
    CHECK(visible("\xc0\xaf") == "\\xc0\\xaf");           // overlong
    CHECK(visible("\xed\xa0\x80") == "\\xed\\xa0\\x80");  // a surrogate
}

TEST_CASE("Text is folded at words, else at marks, else between characters") {
    using Lines = std::vector<std::string>;
    CHECK(fold("zlib", 4) == Lines{"zlib"});
    CHECK(fold("", 4) == Lines{""});
    CHECK(fold("+mpi ~ipo +shared", 10) == Lines{"+mpi ~ipo ", "+shared"});
    CHECK(fold("a,b,c", 3) == Lines{"a,", "b,c"});
    CHECK(fold("/mirrors/site", 9) == Lines{"/mirrors/", "site"});
    CHECK(fold("specs_in_no_stack", 9) == Lines{"specs_in_", "no_stack"});
    CHECK(fold("abcdefg", 3) == Lines{"abc", "def", "g"});
    CHECK(fold("ab  cd", 2) == Lines{"ab  ", "cd"});  // blanks at an end may lie beyond it
    CHECK(fold("abc", 0) == Lines{"a", "b", "c"});
    CHECK(widest_word("+mpi build_type=Release a/bc") == 18);
    CHECK(widest_word("a,bc") == 2);
    CHECK(widest_word("") == 0);
}

TEST_CASE("A fold loses nothing, is never wider than asked, and goes between whole characters") {
    CHECK(fold("漢字漢字", 5) == std::vector<std::string>{"漢字", "漢字"});
    CHECK(fold("漢字", 1) == std::vector<std::string>{"漢", "字"});
    CHECK(fold("a👩\u200d🔬b", 5) == std::vector<std::string>{"a👩\u200d🔬", "b"});
    const std::string text = "aé漢e\u0301📦b\xff 漢字, x_y/z-w  e\u0301";
    for (std::size_t width = 2; width < 30; ++width) {
        std::string joined;
        for (const std::string& line : fold(text, width)) {
            joined += line;
            CHECK(display_width(line.substr(0, line.find_last_not_of(' ') + 1)) <= width);
        }
        CHECK(joined == text);
    }
}

TEST_CASE("A gate on the number of specs says a percentage that is not the gate's own") {
    Diff diff;
    diff.compared_from = 10000;
    diff.compared_to = 9496;
    CHECK(judge(diff, read_gates({"specs-5%"}, {})).at(0).message ==
          "5.04 % fewer, from 10,000 to 9,496 specs");
    diff.compared_from = 12000;
    diff.compared_to = 12000 - 1194;
    CHECK_FALSE(judge(diff, read_gates({"specs-9.95%"}, {})).at(0).has_failed);
    CHECK(judge(diff, read_gates({"specs-9.94%"}, {})).at(0).has_failed);
}

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

}  // namespace document_test
