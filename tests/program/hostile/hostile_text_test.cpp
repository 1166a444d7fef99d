#include <sqlite3.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"

namespace hostile_text_test {

using namespace program;

namespace {

/// The rows of JSON output, one column of them: parsed by SQLite.
Words json_column(const std::string& json, const std::string& column) {
    sqlite3* database = nullptr;
    sqlite3_open(":memory:", &database);
    sqlite3_stmt* statement = nullptr;
    sqlite3_prepare_v2(database, "SELECT json_extract(value, '$.' || ?) FROM json_each(?)", -1,
                       &statement, nullptr);
    sqlite3_bind_text(statement, 1, column.c_str(), -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(statement, 2, json.c_str(), -1, SQLITE_TRANSIENT);
    Words values;
    while (sqlite3_step(statement) == SQLITE_ROW) {
        const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, 0));
        values.emplace_back(text == nullptr ? "" : text);
    }
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return values;
}

/// The rows of CSV output as RFC 4180 has it.
std::vector<Words> csv_rows(const std::string& csv) {
    std::vector<Words> rows;
    Words row;
    std::string cell;
    bool quoted = false;
    for (std::size_t i = 0; i < csv.size(); ++i) {
        if (csv[i] == '"' && quoted && csv.substr(i + 1, 1) == "\"") {
            cell += csv[++i];
        } else if (csv[i] == '"') {
            quoted = !quoted;
        } else if (!quoted && (csv[i] == ',' || csv[i] == '\n')) {
            row.push_back(cell);
            cell.clear();
            if (csv[i] == '\n') {
                rows.push_back(row);
                row.clear();
            }
        } else {
            cell += csv[i];
        }
    }
    return rows;
}

bool has_control_characters(const std::string& text) {
    return std::any_of(text.begin(), text.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (byte < ' ' && c != '\n') || byte == 0x7f;
    });
}

/// What a hostile page may want to be called.
const Words hostile = {
    "'; DROP TABLE spec; --",
    "\" OR \"1\"=\"1",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>&amp;",
    "\x1b[31mred\x1b[0m\x07",
    "two\nlines",
    "carriage\rreturn",
    "tab\tbed",
    "=cmd|' /C calc'!A0",
    "+1+1",
    "@SUM(A1:A9)",
    "--help",
    "-x",
    "a|b\\|c",
    "comma,comma",
    "`code` **bold** ~~gone~~ [link](javascript:alert(1))",
    "\xe2\x80\xae"
    "reversed",
    "%s%n{}{0}",
    "../../etc/passwd",
    " blanks around ",
    "*",
};

std::string json_list(const Words& texts) {
    std::string json = "[";
    for (const std::string& text : texts) {
        json += json.size() > 1 ? ", " : "";
        json += json_text(text);
    }
    return json + "]";
}

/// The views separate stacks by commas, so that their names hold none.
std::string as_stack(std::string text) {
    std::replace(text.begin(), text.end(), ',', ';');
    return text;
}

/// The page without the script that every page has, which is the last element.
std::string without_own_script(const std::string& html) {
    const std::string script =
        "<script>" + read_file(std::string(paths::source) + "/reports/render/html/page.js") +
        "</script>";
    const auto begin = html.rfind(script + "\n</body>");
    REQUIRE(begin != std::string::npos);
    return html.substr(0, begin) + html.substr(begin + script.size());
}

}  // namespace

TEST_CASE("Hostile texts are kept as they are, and come out of each format safely") {
    const Workbench bench;
    const std::string letters = "abcdefghijklmnopqrstuvwxyz234567";
    for (std::size_t i = 0; i < hostile.size(); ++i) {
        Entry one = entry(letters[i]);
        one["versions"] = json_list({hostile[i]});
        one["os"] = json_text(hostile[i]);
        one["stacks"] = json_list({as_stack(hostile[i]), "root"});
        one["variants"] = json_list({"key=" + hostile[i]});
        bench.write("p/" + std::to_string(i) + ".md", page(hostile[i], details({one})));
    }
    CHECK(done(bench.run({"ingest", "p", "--taken-at", "2025-01-01"})).err.empty());
    CHECK(bench.run({"check"}).out == "ok\n");

    const std::string query =
        "SELECT package, version, os, stacks, variants FROM specs ORDER BY hash";
    const auto output = [&](const std::string& format) {
        return done(bench.run({"sql", query, "--format", format})).out;
    };
    CHECK(json_column(output("json"), "package") == hostile);
    CHECK(json_column(output("json"), "version") == hostile);
    CHECK(json_column(output("json"), "os") == hostile);
    CHECK_FALSE(has_control_characters(output("json")));

    const auto rows = csv_rows(output("csv"));
    REQUIRE(rows.size() == hostile.size() + 1);
    for (std::size_t i = 0; i < hostile.size(); ++i) {
        INFO(hostile[i]);
        REQUIRE(rows[i + 1].size() == 5);
        CHECK(rows[i + 1][0] == hostile[i]);
        CHECK(rows[i + 1][1] == hostile[i]);
    }
    const std::string table = output("table");
    CHECK_FALSE(has_control_characters(table));
    CHECK_FALSE(contains(table, "\xe2\x80\xae"));
    CHECK(lines_of(table).size() == hostile.size() + 2);

    const Words markdown = lines_of(output("markdown"));
    CHECK(markdown.size() == hostile.size() + 2);
    for (const std::string& line : markdown) {
        INFO(line);
        CHECK_FALSE(has_control_characters(line));
        CHECK_FALSE(contains(line, "<script"));
        CHECK_FALSE(contains(line, "<img"));
        std::size_t bars = 0;
        for (std::size_t i = 0; i < line.size(); ++i) {
            if (line[i] == '\\') {
                ++i;  // what follows is meant literally
            } else {
                bars += line[i] == '|';
            }
        }
        CHECK(bars == 6);
    }
    const std::string html = without_own_script(output("html"));
    CHECK_FALSE(has_control_characters(html));
    CHECK_FALSE(contains(html, "<script"));
    CHECK_FALSE(contains(html, "<img"));
}

TEST_CASE("Hostile texts go through every report, filter and name") {
    const Workbench bench;
    const std::string letters = "abcdefghijklmnopqrstuvwxyz234567";
    bench.write("before/zlib.md", page("zlib", details({entry('7')})));
    for (std::size_t i = 0; i < hostile.size(); ++i) {
        Entry one = entry(letters[i]);
        one["stacks"] = json_list({as_stack(hostile[i]), "root"});
        bench.write("p/" + std::to_string(i) + ".md", page(hostile[i], details({one})));
    }
    REQUIRE(bench.run({"ingest", "before", "--taken-at", "2025-01-01"}).status == 0);
    REQUIRE(bench.run({"ingest", "p", "--taken-at", "2025-01-02"}).status == 0);
    for (const std::string& line : lines_of(bench.run({"report", "--format", "csv"}).out)) {
        const std::string name = line.substr(0, line.find(','));
        if (name == "report") {  // the header
            continue;
        }
        const Run table = bench.run({"report", name});
        INFO(name << "\n" << table);
        CHECK(table.status == 0);
        CHECK_FALSE(has_control_characters(table.out));
        const Run html = bench.run({"report", name, "--format", "html"});
        CHECK(html.status == 0);
        CHECK_FALSE(contains(without_own_script(html.out), "<script"));
        CHECK_FALSE(has_control_characters(html.out));
    }
    CHECK_FALSE(
        has_control_characters(done(bench.run({"diff", "develop~1", "develop", "--all"})).out));
    for (const std::string& text : hostile) {
        const Run stack = bench.run(
            {"report", "coverage/packages", "--stack=" + as_stack(text), "--format", "json"});
        INFO(text << "\n" << stack);
        CHECK(stack.status == 0);
        if (text == "*") {  // a pattern for all, whatever a stack is called
            CHECK(json_column(stack.out, "package").size() == hostile.size());
        } else {
            CHECK(json_column(stack.out, "package") == Words{text});
        }
        const Run refused = bench.run({"report", "coverage/packages", "--at=" + text});
        CHECK(refused.status == (text.rfind("../", 0) == 0 ? 3 : 2));  // a path is a file
        CHECK(refused.errors().size() == 1);
        CHECK_FALSE(has_control_characters(refused.err));
    }
}

}  // namespace hostile_text_test
