#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include "catch.hpp"
#include "program.hpp"

using program::contains;
using program::details;
using program::Entry;
using program::entry;
using program::json_text;
using program::lines_of;
using program::page;
using program::Run;
using program::Words;
using program::Workbench;

namespace fs = std::filesystem;

namespace {

/// A page that can't be loaded: its text, the line that is named (0: none), and part of the reason.
struct BadPage {
    std::string name;
    std::string text;
    int line = 0;
    std::string reason;
};

Entry with(const std::string& key, const std::string& value) {
    Entry changed = entry();
    changed[key] = value;
    return changed;
}

Entry without(const std::string& key) {
    Entry changed = entry();
    changed.erase(key);
    return changed;
}

BadPage bad_entry(const std::string& name, const Entry& bad, const std::string& reason) {
    return {name, page("bad", details({entry('z'), bad})), 5, "spec_details[1]: " + reason};
}

BadPage bad_details(const std::string& name, const std::string& json, const std::string& reason) {
    return {name, page("bad", json), 5, reason};
}

/// A page with the given lines between its fences.
BadPage bad_lines(const std::string& name, const std::string& lines, int line,
                  const std::string& reason) {
    return {name, "---\n" + lines + "---\n", line, reason};
}

std::string many(std::size_t count, const std::string& text) {
    std::string all;
    for (std::size_t i = 0; i < count; ++i) {
        all += text;
    }
    return all;
}

void add_entries(std::vector<BadPage>& pages) {
    for (const std::string key :
         {"hash", "versions", "compiler", "os", "platform", "target", "variants", "stacks"}) {
        pages.push_back(bad_entry("no " + key, without(key), "expected a '" + key + "'"));
        for (const std::string value : {"7", "null", "true", "{}", "[[]]", "[7]"}) {
            pages.push_back(bad_entry(key + " is " + value, with(key, value), key + ": expected "));
        }
    }
    for (const std::string key : {"hash", "compiler", "os", "platform", "target", "size"}) {
        pages.push_back(bad_entry(key + " is a list", with(key, R"(["x"])"), key + ": expected "));
        pages.push_back(
            bad_entry("NUL in " + key, with(key, R"("a\u0000b")"), key + ": expected "));
    }
    for (const std::string key : {"versions", "variants", "stacks"}) {
        pages.push_back(bad_entry(key + " is a text", with(key, R"("x")"), key + ": expected "));
        pages.push_back(
            bad_entry("NUL in " + key, with(key, R"(["a\u0000b"])"), key + ": expected "));
    }
    pages.push_back(bad_entry("no version", with("versions", "[]"), "versions: expected "));
    pages.push_back(bad_entry("empty version", with("versions", R"([""])"), "versions: expected "));
    pages.push_back(
        bad_entry("two versions", with("versions", R"(["1", "2"])"), "versions: expected "));
    pages.push_back(bad_entry("a comma in a stack", with("stacks", R"(["a,b"])"),
                              "expected the name of a stack"));
    pages.push_back(
        bad_entry("an empty stack", with("stacks", R"([""])"), "expected the name of a stack"));
    Entry of_2022 = without("platform");
    of_2022["architecture"] = R"("linux")";
    pages.push_back(bad_entry("architecture", of_2022, "architecture: expected "));
    for (const std::string& hash :
         {std::string(), std::string(31, 'a'), std::string(33, 'a'), std::string(32, 'A'),
          std::string(32, '1'), std::string(32, '0'), std::string(32, '-'),
          std::string(31, 'a') + " ", std::string(31, 'a') + "\xc3\xa9", many(16, "\xc3\xa9")}) {
        pages.push_back(
            bad_entry("hash '" + hash + "'", with("hash", json_text(hash)), "hash: expected "));
    }
    pages.push_back(bad_details("a hash twice", details({entry('a'), entry('b'), entry('a')}),
                                "spec_details[2]: hash: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"));
    std::string twice = details({entry()});
    twice.insert(2, R"("os": "x", )");
    pages.push_back(bad_details("a key twice", twice, "'os' is given twice"));
}

void add_json(std::vector<BadPage>& pages) {
    const std::string good = details({entry()});
    pages.push_back(
        bad_details("a value missing", R"([{"hash": }])", "broken JSON at character 11"));
    pages.push_back(bad_details("not closed", good.substr(0, good.size() - 2), "broken JSON"));
    pages.push_back(bad_details("more behind", good + " x", "broken JSON"));
    pages.push_back(bad_details("another list behind", good + " []", "broken JSON"));
    pages.push_back(bad_details("single quotes", "[{'hash': 'a'}]", "broken JSON"));
    pages.push_back(bad_details("a lone surrogate", R"([{"hash": "\ud800"}])", "broken JSON"));
    pages.push_back(bad_details("not a number", "[NaN]", "broken JSON"));
    pages.push_back(bad_details("a control character", "[\"a\tb\"]", "broken JSON"));
    pages.push_back(bad_details("a NUL", std::string("[\0]", 3), "without NUL characters"));
    pages.push_back(bad_details("an object", "{}", "expected a list, found an object"));
    pages.push_back(bad_details("null", "null", "expected a list, found null"));
    pages.push_back(bad_details("a number", "7", "expected a list, found a number"));
    pages.push_back(bad_details("a text", R"("[]")", "expected a list, found '[]'"));
    for (const std::string value : {"[]", "7", "null", R"("x")"}) {
        pages.push_back(bad_details("entry is " + value, "[" + value + "]", "spec_details[0]: "));
    }
    pages.push_back(bad_details("deep lists", many(100000, "["), "broken JSON"));
    pages.push_back(bad_details("deep lists, closed", many(100000, "[") + many(100000, "]"),
                                "broken JSON: nested more than 1,024 deep"));
    pages.push_back(bad_details("deep objects", many(100000, R"({"a":)"), "broken JSON"));
    pages.push_back(bad_details("a huge line", "[\"" + std::string(8 << 20, 'x'), "broken JSON"));
}

void add_front_matter(std::vector<BadPage>& pages) {
    const std::string rest = "spec_details: " + details({entry()}) + "\n";
    const auto front = [&](const std::string& name, const std::string& lines, int line,
                           const std::string& reason) {
        pages.push_back(bad_lines(name, lines + rest, line, reason));
    };
    front("illegal mapping", "title: a: b\n", 2, "broken YAML");
    front("unknown escape", "categories: [package, develop]\ntitle: \"\\q\"\n", 3, "broken YAML");
    front("a tab", "categories: [package, develop]\n\ttitle: x\n", 3, "broken YAML");
    front("an unknown anchor", "title: *anchor\n", 2, "broken YAML");
    front("not a mapping", "- title\n", 0, "");
    front("no title", "categories: [package, develop]\n", 0, "expected a 'title'");
    front("an empty title", "title: \"\"\n", 0, "expected a 'title'");
    front("a title twice", "title: a\ntitle: b\n", 3, "'title' is given twice");
    front("title is a list", "title: [a]\n", 2, "expected 'title' to be a text");
    front("title is an object", "title: {a: b}\n", 2, "expected 'title' to be a text");
    front("NUL in the title", "title: \"a\\0b\"\n", 0, "NUL");
    front("NUL byte", std::string("title: a\0b\n", 11), 0, "");
    front("categories is a text", "title: a\ncategories: package\n", 3, "to be a list");
    front("tag is a list", "title: a\ncategories: [package, [x]]\n", 3, "to be a text");
    front("tag with a blank", "title: a\ncategories: [package, \"a b\"]\n", 0, "'a b'");
    front("tag with a line end", "title: a\ncategories: [package, \"a\\nb\"]\n", 0, "'a\\nb'");
    front("an empty tag", "title: a\ncategories: [package, \"\"]\n", 0, "the tag is empty");
    front("deep YAML lists", "title: " + many(100000, "[") + "\n", 2, "nested too deeply");
    front("deep YAML objects", "title: " + many(100000, "{a: ") + "\n", 2, "nested too deeply");
    front("deep YAML entries", "title:\n" + many(100000, "- ") + "x\n", 3, "nested too deeply");
    front("a huge YAML line", "title: " + std::string(2 << 20, 'x') + "\n", 2, "longer than 1 MiB");
    front("details twice", "title: a\n" + rest, 4, "'spec_details' is given twice");
    front("meta is a list", "title: a\nmeta: []\n", 3, "meta: expected an object");
    front("broken meta", "title: a\nmeta: {\"a\"\n", 3, "broken JSON");
    front("meta on the next line", "title: a\nmeta:\n  num_specs: 1\n", 3, "expected the value");
    front("num_specs is a text", "title: a\nmeta: {\"num_specs\": \"1\"}\n", 3,
          "meta.num_specs: expected a whole number");
    front("meta.versions is a number", "title: a\nmeta: {\"versions\": 1}\n", 3,
          "meta.versions: expected a list of texts");
    front("not UTF-8", "title: \"\xff\xfe\"\n", 0, "UTF-8");
    pages.push_back(bad_lines("no details", "title: a\ncategories: [package, develop]\n", 0,
                              "expected 'spec_details'"));
    pages.push_back({"cut off", "---\ntitle: a\n" + rest, 4, "cut off"});
    pages.push_back({"cut off in the first line", "---", 0, ""});
    pages.push_back({"two pages", page("a", details({entry()})) + page("b", "[]"), 7, "second"});
}

std::vector<BadPage> bad_pages() {
    std::vector<BadPage> pages;
    add_entries(pages);
    add_json(pages);
    add_front_matter(pages);
    return pages;
}

/// The problem is said in one line of its own, which opens with the file.
void check_line(const std::string& line, const std::string& path, int number,
                const std::string& reason) {
    INFO(line.substr(0, 1000));
    std::string start = "cacheledger: ";
    start += path;
    start += ":";
    if (number > 0) {
        start += std::to_string(number);
        start += ": ";
    }
    CHECK(line.rfind(start, 0) == 0);
    CHECK(contains(line, reason));
    CHECK(line.size() > start.size());
    CHECK(line.size() < 500);
    CHECK(std::none_of(line.begin(), line.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < ' ' || byte == 0x7f;
    }));
}

/// A bench with a snapshot, and what must stay as it is when something bad comes.
struct LoadedBench : Workbench {
    std::string before;

    LoadedBench() {
        write("good/zlib.md", page("zlib", details({entry('q')})));
        const Run run = this->run({"ingest", "good", "--taken-at", "2025-01-01"});
        INFO(run);
        REQUIRE(run.status == 0);
        before = database();
    }
    /// Bad input: exit code 3, these lines and nothing else, nothing loaded.
    Words check_refused(const Words& paths) const {
        Words words = {"ingest", "--taken-at", "2025-01-02"};
        words.insert(words.end(), paths.begin(), paths.end());
        const Run run = this->run(words);
        INFO(run);
        CHECK(run.status == 3);
        CHECK(run.out.empty());
        CHECK((database() == before));
        CHECK_FALSE(has("cacheledger.db-journal"));
        return run.errors();
    }
    void check_refused(const Words& paths, const std::string& path,
                       const std::string& reason) const {
        const Words errors = check_refused(paths);
        REQUIRE(errors.size() == 1);
        check_line(errors[0], path, 0, reason);
    }
};

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

}  // namespace

TEST_CASE("A bad page is refused by name, line and reason, and nothing is loaded") {
    const LoadedBench bench;
    for (const BadPage& bad : bad_pages()) {
        INFO(bad.name.substr(0, 100));
        bench.write("page.md", bad.text);
        const Words errors = bench.check_refused({"good", "page.md"});
        REQUIRE(errors.size() == 1);
        check_line(errors[0], "page.md", bad.line, bad.reason);
    }
}

TEST_CASE("Several bad pages are all listed, each in a line of its own") {
    const LoadedBench bench;
    const auto pages = bad_pages();
    for (std::size_t i = 0; i < pages.size(); ++i) {
        bench.write("good/bad-" + std::to_string(1000 + i) + "/specs.md", pages[i].text);
    }
    const Words errors = bench.check_refused({"good"});
    REQUIRE(errors.size() == pages.size());
    for (std::size_t i = 0; i < pages.size(); ++i) {
        INFO(pages[i].name.substr(0, 100));
        check_line(errors[i], "good/bad-" + std::to_string(1000 + i) + "/specs.md", pages[i].line,
                   pages[i].reason);
    }
}

TEST_CASE("With --keep-going it loads the good pages, and keeps the bad ones as findings") {
    const Workbench bench;
    bench.write("pages/zlib.md", page("zlib", details({entry('q')})));
    bench.write("pages/cmake.md", page("cmake", details({entry('r')})));
    const auto pages = bad_pages();
    for (std::size_t i = 0; i < pages.size(); ++i) {
        bench.write("pages/bad-" + std::to_string(1000 + i) + "/specs.md", pages[i].text);
    }
    const Run run = bench.run({"ingest", "pages", "--keep-going", "--taken-at", "2025-01-01"});
    INFO(run);
    CHECK(run.status == 0);
    CHECK(contains(run.out, "2 pages, 2 specs (2 new)"));
    CHECK(run.errors().size() == pages.size());
    // No snapshot of a tag that no page can have.
    CHECK(bench.query("SELECT tag FROM snapshots ORDER BY tag") == Words{"develop"});
    CHECK(lines_of(run.out).size() == 1);
    CHECK(bench.query("SELECT package FROM specs ORDER BY package") == Words{"cmake", "zlib"});
    const Words paths = bench.query("SELECT DISTINCT path FROM findings ORDER BY path");
    CHECK(paths.size() == pages.size());
    for (std::size_t i = 0; i < pages.size(); ++i) {
        const std::string path = "bad-" + std::to_string(1000 + i) + "/specs.md";
        INFO(pages[i].name.substr(0, 100));
        CHECK(std::any_of(paths.begin(), paths.end(),
                          [&](const std::string& found) { return contains(found, path); }));
    }
    CHECK(bench.query("SELECT DISTINCT kind FROM findings") == Words{"page-unreadable"});
    CHECK(bench.run({"check"}).out == "ok\n");
    const Run again = bench.run({"ingest", "pages", "--keep-going", "--taken-at", "2025-01-01"});
    INFO(again);
    CHECK(again.status == 0);
    CHECK(contains(again.out, "0 snapshots loaded"));
}

TEST_CASE("A database that is not there yet holds no snapshot after bad input") {
    const Workbench bench;
    bench.write("page.md", page("zlib", "[{}]"));
    const Run run = bench.run({"ingest", "page.md"});
    INFO(run);
    CHECK(run.status == 3);
    CHECK(bench.snapshots() == 0);
    const Run none = bench.run({"ingest", "page.md", "--keep-going"});
    INFO(none);
    CHECK(none.status == 3);
    CHECK(bench.snapshots() == 0);
}

TEST_CASE("Two pages for one package name both files") {
    const LoadedBench bench;
    bench.write("p/a.md", page("cmake", details({entry('a')})));
    bench.write("p/b.md", page("cmake", details({entry('b')})));
    bench.check_refused({"p"}, "p/b.md", "p/a.md");
    bench.write("p/b.md", page("cmake", details({entry('a')})));
    bench.check_refused({"p"}, "p/b.md", "p/a.md");
    bench.write("p/b.md", page("cmake", details({entry('b')}), "v0.21.0"));
    const Run run = bench.run({"ingest", "p", "--taken-at", "2025-01-02"});
    INFO(run);
    CHECK(run.status == 0);  // in other snapshots
}

TEST_CASE("A page that is named twice is one page") {
    const Workbench bench;
    bench.write("p/a.md", page("cmake", details({entry('a')})));
    const Run run = bench.run({"ingest", "p", "p", "p/a.md", "--taken-at", "2025-01-02"});
    INFO(run);
    CHECK(run.status == 0);
    CHECK(contains(run.out, "1 page, 1 spec"));
}

TEST_CASE("What a hash stands for never changes: the second one is refused, or found") {
    const Workbench bench;
    bench.write("p/zlib.md", page("zlib", details({entry('a')})));
    bench.write("p/cmake.md", page("cmake", details({entry('a')})));
    const Run run = bench.run({"ingest", "p", "--taken-at", "2025-01-01"});
    INFO(run);
    if (run.status == 0) {
        CHECK(
            bench.query("SELECT count(*) > 0 FROM findings WHERE detail LIKE '%aaaaaaaaaaaaa%'") ==
            Words{"1"});
    } else {
        CHECK(run.status == 3);
        CHECK(bench.snapshots() == 0);
    }
}

TEST_CASE("Files and folders that hold no page") {
    const LoadedBench bench;
    bench.write("plain.txt", "Just text.\n");
    bench.check_refused({"plain.txt"}, "plain.txt", "");
    bench.write("empty.md", "");
    bench.check_refused({"empty.md"}, "empty.md", "");
    bench.write("other.md", "---\ntitle: About\nlayout: post\n---\nText\n");
    bench.check_refused({"other.md"}, "other.md", "spec_details");
    bench.check_refused({"missing.md"}, "missing.md", "no such file or folder");
    bench.check_refused({""}, "", "no such file or folder");
    fs::create_directory(bench.file("hollow"));
    bench.check_refused({"hollow"}, "hollow", "no package pages found");
    bench.write("notes/plain.txt", "Just text.\n");
    bench.write("notes/other.md", "---\ntitle: About\nlayout: post\n---\nText\n");
    bench.check_refused({"notes"}, "notes", "no package pages found");
    bench.write("notes/empty.md", "");
    const Words errors = bench.check_refused({"notes", "good"});
    REQUIRE(errors.size() == 1);
    check_line(errors[0], "notes/empty.md", 0, "");
    const Words missing = bench.check_refused({"missing.md", "good", "gone"});
    REQUIRE(missing.size() == 2);
    check_line(missing[0], "missing.md", 0, "no such");
    check_line(missing[1], "gone", 0, "no such");
}

TEST_CASE("Standard input that is no page") {
    const LoadedBench bench;
    for (const std::string& text : {std::string(), std::string("text\n"), std::string("---\n"),
                                    page("zlib", "[{}]"), std::string(1 << 20, '\0')}) {
        const Run run = bench.run({"ingest", "-"}, text);
        INFO(run);
        CHECK(run.status == 3);
        REQUIRE(run.errors().size() == 1);
        check_line(run.errors()[0], "-", 0, "");
        CHECK((bench.database() == bench.before));
    }
}

TEST_CASE("A page of a huge line is read") {
    const Workbench bench;
    std::vector<Entry> entries;
    const std::string letters = "abcdefghijklmnopqrstuvwxyz234567";
    for (std::size_t i = 0; i < 20000; ++i) {
        std::string hash(32, 'a');
        hash[0] = letters[i % 32];
        hash[1] = letters[i / 32 % 32];
        hash[2] = letters[i / 1024];
        entries.push_back(with("hash", json_text(hash)));
    }
    bench.write("page.md", page("zlib", details(entries)));
    const Run run = bench.run({"ingest", "page.md", "--taken-at", "2025-01-01"});
    INFO(run);
    CHECK(run.status == 0);
    CHECK(contains(run.out, "1 page, 20000 specs (20000 new)"));
}

TEST_CASE("A FIFO does not hold it up") {
    const LoadedBench bench;
    REQUIRE(mkfifo(bench.file("good/fifo.md").c_str(), 0600) == 0);
    bench.check_refused({"good"}, "good/fifo.md", "regular file");
    bench.check_refused({"good/fifo.md"}, "good/fifo.md", "regular file");
    bench.check_refused({"/dev/zero"}, "/dev/zero", "regular file");
}

TEST_CASE("What can't be read is named") {
    if (geteuid() == 0) {
        WARN("root may read everything");
        return;
    }
    const LoadedBench bench;
    bench.write("good/secret.md", page("cmake", details({entry()})));
    fs::permissions(bench.file("good/secret.md"), fs::perms::none);
    bench.check_refused({"good"}, "good/secret.md", "can't be read");
    fs::remove(bench.file("good/secret.md"));
    bench.write("good/closed/cmake.md", page("cmake", details({entry()})));
    fs::permissions(bench.file("good/closed"), fs::perms::none);
    const Words errors = bench.check_refused({"good"});
    fs::permissions(bench.file("good/closed"), fs::perms::owner_all);
    REQUIRE(errors.size() == 1);
    CHECK(contains(errors[0], "good"));
}

TEST_CASE("Symbolic links in a circle") {
    const LoadedBench bench;
    fs::create_symlink("loop.md", bench.file("good/loop.md"));
    const Words errors = bench.check_refused({"good"});
    REQUIRE(errors.size() == 1);
    check_line(errors[0], "good/loop.md", 0, "");
    bench.check_refused({"good/loop.md"}, "good/loop.md", "");
    fs::remove(bench.file("good/loop.md"));
    fs::create_symlink("nowhere.md", bench.file("good/dangling.md"));
    bench.check_refused({"good"}, "good/dangling.md", "");
    fs::remove(bench.file("good/dangling.md"));
    fs::create_directory_symlink(".", bench.file("good/again"));
    fs::create_directory_symlink("..", bench.file("good/up.md"));
    const Run run = bench.run({"ingest", "good", "--taken-at", "2025-01-02"});
    INFO(run);
    CHECK(run.status == 0);
    CHECK(contains(run.out, "1 page, 1 spec"));
}

TEST_CASE("File names with anything in them make one line each") {
    const LoadedBench bench;
    bench.write("p/two\nlines\x1b[31m.md", page("zlib", "[{}]"));
    bench.write("p/\xff\xfe.md", page("zlib", "[{}]"));
    const Words errors = bench.check_refused({"p"});
    REQUIRE(errors.size() == 2);
    for (const std::string& line : errors) {
        check_line(
            line,
            line.find("two") != std::string::npos ? "p/two\\nlines\\x1b[31m.md" : "p/\\xff\\xfe.md",
            5, "spec_details[0]");
    }
    bench.write("q/--help.md", page("zlib", details({entry('a')})));
    bench.write("q/'; DROP TABLE spec; --.md", page("cmake", details({entry('b')})));
    bench.write("q/\xff.md", page("hdf5", details({entry('c')})));
    const Run run = bench.run({"ingest", "q", "--taken-at", "2025-01-02"});
    INFO(run);
    CHECK(run.status == 0);
    for (const std::string format : {"table", "csv", "json", "markdown"}) {
        CHECK(bench.run({"sql", "SELECT * FROM pages", "--format", format}).status == 0);
    }
}

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
    const Run loaded = bench.run({"ingest", "p", "--taken-at", "2025-01-01"});
    INFO(loaded);
    REQUIRE(loaded.status == 0);
    CHECK(loaded.err.empty());
    CHECK(bench.run({"check"}).out == "ok\n");

    const std::string query =
        "SELECT package, version, os, stacks, variants FROM specs ORDER BY hash";
    const auto output = [&](const std::string& format) {
        const Run run = bench.run({"sql", query, "--format", format});
        INFO(run);
        CHECK(run.status == 0);
        return run.out;
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
    const std::string html = output("html");
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
        CHECK_FALSE(contains(html.out, "<script"));
        CHECK_FALSE(has_control_characters(html.out));
    }
    const Run diff = bench.run({"diff", "develop~1", "develop", "--all"});
    CHECK(diff.status == 0);
    CHECK_FALSE(has_control_characters(diff.out));
    for (const std::string& text : hostile) {
        const Run stack = bench.run(
            {"report", "coverage/packages", "--stack=" + as_stack(text), "--format", "json"});
        INFO(text << "\n" << stack);
        CHECK(stack.status == 0);
        CHECK(json_column(stack.out, "package") == Words{text});
        const Run refused = bench.run({"report", "coverage/packages", "--at=" + text});
        CHECK(refused.status == 2);
        CHECK(refused.errors().size() == 1);
        CHECK_FALSE(has_control_characters(refused.err));
    }
}
