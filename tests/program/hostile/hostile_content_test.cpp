#include <sqlite3.h>

#include <string>

#include "tests/paths.hpp"
#include "tests/program/site/site_fixture.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"

namespace hostile_content_test {

using namespace program;

namespace {

const Words formats = {"json", "csv", "html", "markdown", "table"};

/// What has got into other programs by way of a name.
const Words hostile = {
    "'; DROP TABLE spec; --",
    "<script>alert(1)</script>",
    "\"><img src=x onerror='alert(1)'>",
    "</td></table><!-- &amp; &#60;b&#62;",
    "\x1b[2J\x1b]0;title\x07\x1b[31mred",
    "back\b\b\bspace \x7f \x01",
    "\u0080\u0085\u009b31m\u009f",
    "\u202eesrever \u2066isolated\u2069 \u061c",
    "zero\u200bwidth\ufeff\u2060 a\u200db \u00ad",
    "line\nline\r\nline\rline\u2028line\u2029line",
    "\ttab\t",
    std::string("nul\0nul", 7),
    "=1+1",
    "+mpi~ipo~cuda build_type=Release",
    "-2+3",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "--help",
    "a|b||c\\|d\\\\|",
    "`code` ``more``",
    "[text](https://example.com) ![image](x) [r]: x",
    "https://example.com www.example.com",
    "*a* **b** _c_ __d__ ~e~ ~~f~~ $g$",
    "# heading",
    "| --- | --- |",
    "\\",
    "\"",
    "a,\"b\",c",
    "  blanks  ",
    "py_foo",
    "{\"json\": [1]}",
    "ünïcödé 漢字 👩\u200d🔬",
    "",
};

std::string json_list(const Words& texts) {
    std::string json = "[";
    for (const std::string& text : texts) {
        json += json.size() > 1 ? "," : "";
        json += json_text(text);
    }
    return json + "]";
}

/// Has `command` write NAME.FORMAT in every format, and another parser read them back.
void check_formats(const Workbench& bench, const Words& command, const std::string& name,
                   const std::string& how = "equal") {
    for (const std::string& format : formats) {
        Words words = command;
        words.insert(words.end(), {"--format", format, "--output", name + "." + format});
        const Run run = bench.run(words);
        INFO(format << "\n" << run);
        REQUIRE(run.status == 0);
        CHECK((run.err.empty() || run.err.starts_with("cacheledger: note: ")));
    }
    const Run read =
        run_command({"python3", std::string(paths::source) + "/tests/program/hostile/read_back.py",
                     bench.folder().string(), name, how});
    INFO(command[0] << " " << (command.size() > 1 ? command[1] : "") << "\n" << read);
    CHECK(read.status == 0);
}

/// Every report, the diff and the lists.
void check_everything(const Workbench& bench) {
    int number = 0;
    int pictures = 0;
    const Run list = bench.run({"report", "--all", "--format", "csv"});
    for (const std::string& line : lines_of(list.out)) {
        const std::string report = line.substr(0, line.find(','));
        if (contains(report, "/")) {
            const std::string name = std::to_string(++number);
            const Run picture = bench.run({"report", report, "--output", name + ".svg"});
            INFO(picture);
            CHECK(bench.has(name + ".svg") != contains(picture.err, "has none; these have: "));
            pictures += picture.status == 0 ? 1 : 0;
            check_formats(bench, {"report", report}, name);
        }
    }
    CHECK(number > 20);
    CHECK(pictures == 26);
    check_formats(bench, {"snapshots"}, "snapshots");
    check_formats(bench, {"sql", "SELECT * FROM specs"}, "specs");
    check_formats(bench, {"sql", "SELECT * FROM findings"}, "findings");
    check_formats(bench, {"diff", "latest~1", "latest", "--all"}, "diff", "safe");
    const Run site = done(site_fixture::make(bench, {"site"}));
    site_fixture::check(bench, "site");
}

/// A page of which everything that a page may say is `text`, as far as it is taken.
std::string page_of(const std::string& text, char letter) {
    Entry entry = program::entry(letter);
    entry["versions"] = json_list({text});
    entry["os"] = json_text(text);
    entry["target"] = json_text(text);
    entry["compiler"] = json_text(text + "@1.0");
    entry["stacks"] = json_list({text});
    entry["variants"] = json_list({"+a", std::string("name=").append(text)});
    return page(text, details({entry}));
}

void exec(const Workbench& bench, const std::string& sql) {
    sqlite3* database = nullptr;
    REQUIRE(sqlite3_open(bench.file("cacheledger.db").c_str(), &database) == SQLITE_OK);
    char* message = nullptr;
    const int code = sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &message);
    INFO(sql << "\n" << (message == nullptr ? "" : message));
    CHECK(code == SQLITE_OK);
    sqlite3_free(message);
    sqlite3_close(database);
}

}  // namespace

TEST_CASE("Every format gives hostile cells back as they were") {
    const SampleBench bench;
    const std::string columns = R"(SELECT value AS "<i>a|b</i>` \", key AS "=1 )"
                                "\x1b"
                                R"([2J",
        NULL AS "", value || 'end' AS "it's "" a,b" FROM json_each(:cells))";
    check_formats(bench, {"sql", columns, "--param", "cells=" + json_list(hostile)}, "cells");
    for (const std::string& text : hostile) {  // each alone: a neighbour may hide what it does
        check_formats(bench,
                      {"sql", "SELECT value, 1 AS n FROM json_each(:cells)", "--param",
                       "cells=" + json_list({text, text + text})},
                      "alone");
    }
}

TEST_CASE("What is no UTF-8 is shown, or replaced where the format can't hold it") {
    const SampleBench bench;
    const auto shown = [&](const std::string& format) {
        return bench.run({"sql", "SELECT CAST(x'61ff62c3' AS TEXT) AS a", "--format", format}).out;
    };
    CHECK(shown("table") == "a\n----------\na\\xffb\\xc3\n");
    CHECK(shown("csv") ==
          "a\na\xff"
          "b\xc3\n");
    CHECK(shown("json") == "[\n{\"a\": \"a\ufffdb\ufffd\"}\n]\n");
    CHECK(shown("markdown") == "| a |\n| --- |\n| a\\\\xffb\\\\xc3 |\n");
    CHECK(contains(shown("html"), "<td>a\\xffb\\xc3</td>"));
}

TEST_CASE("Formulas are guarded where that is asked for") {
    const SampleBench bench;
    const std::string query =
        "SELECT value AS \"=head\", -1 AS number FROM json_each(:cells) WHERE value <> ''";
    const Words cells = {"=1", "+1", "-1", "@x", "\t=1", "\r=1", "a=1", "'=1", ""};
    const Words words = {"sql", query, "--param", "cells=" + json_list(cells), "--format"};
    const auto run = [&](Words more) {
        more.insert(more.begin(), words.begin(), words.end());
        return bench.run(more);
    };
    CHECK(
        run({"csv", "--guard-formulas"}).out ==
        "'=head,number\n'=1,-1\n'+1,-1\n'-1,-1\n'@x,-1\n'\t=1,-1\n\"'\r=1\",-1\na=1,-1\n'=1,-1\n");
    CHECK(run({"csv"}).out ==
          "=head,number\n=1,-1\n+1,-1\n-1,-1\n@x,-1\n\"\t=1\",-1\n\"\r=1\",-1\na=1,-1\n'=1,-1\n");
    CHECK(run({"json", "--guard-formulas"}).status == 2);
}

TEST_CASE("Hostile pages come out of every report") {
    const Workbench bench;
    std::size_t loaded = 0;
    for (std::size_t i = 0; i < hostile.size(); ++i) {
        const std::string folder = "pages-" + std::to_string(i);
        // Names of files are content, too.
        const std::string name = i % 2 == 0 ? "a\x1b[2J<b>\n|`.md" : "--help.md";
        bench.write(folder + "/" + name, page_of(hostile[i], static_cast<char>('a' + i % 26)));
        const Run run = bench.run({"ingest", folder, "--taken-at",
                                   "2025-01-01T00:" + std::to_string(10 + i) + ":00Z",
                                   "--keep-going", "--partial"});
        INFO(run);
        CHECK((run.status == 0 || run.status == 3));
        CHECK_FALSE(contains(run.out + run.err, "\x1b"));
        loaded += run.status == 0 ? 1 : 0;
    }
    CHECK(loaded > hostile.size() / 2);
    CHECK(bench.run({"check"}).status == 0);
    check_everything(bench);
}

TEST_CASE("A stranger's ledger comes out safely, and gets no power") {
    const SampleBench bench;
    std::string text;
    for (const std::string& part : hostile) {
        text += part + " ";
    }
    for (char& c : text) {  // as SQL can say it, and without what counts snapshots
        c = c == '\'' || c == '\0' || c == '~' ? '"' : c;
    }
    for (const std::string column : {"package.name", "snapshot.name", "snapshot.tag",
                                     "snapshot.source", "stack.name", "version.version"}) {
        const auto dot = column.find('.');
        const std::string name = column.substr(dot + 1);
        exec(bench,
             "UPDATE " + column.substr(0, dot) + " SET " + name + " = '" + text + "' || " + name);
    }
    check_everything(bench);
    const Run check = bench.run({"check"});
    CHECK_FALSE(contains(check.out + check.err, "\x1b"));
    const Run forgot = bench.run({"forget", "latest"});
    CHECK(forgot.status == 0);
    CHECK_FALSE(contains(forgot.out + forgot.err, "\x1b"));

    exec(bench,
         "DROP VIEW findings; CREATE VIEW findings AS SELECT load_extension('x') AS kind, "
         "fts3_tokenizer('simple') AS detail");
    check_run(bench.run({"sql", "SELECT * FROM main.findings"}),
              {.status = 2, .all_err = "cacheledger: query: unsafe use of load_extension()\n"});
}

}  // namespace hostile_content_test
