#include <sqlite3.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/program/checks.hpp"
#include "tests/support/program/program.hpp"

namespace sql_files_test {

using namespace program;

namespace fs = std::filesystem;

namespace {

const fs::path folder = fs::path(paths::source) / "sql";

const std::map<std::string, std::string> snapshots = {
    {"at", "develop@2025-03-10T00:00:00Z"},
    {"lock", "develop@2025-03-10T00:00:00Z"},
    {"from", "develop@2025-02-10T00:00:00Z"},
    {"to", "develop@2025-03-10T00:00:00Z"},
};

struct Parameter {
    std::string name, type, default_value;
};

/// What the comment at the head of a report says.
struct Header {
    std::string title;
    std::string description;
    std::vector<Parameter> parameters;
    bool pivot = false;
};

Header read_header(const std::string& sql) {
    static const std::regex title(R"(-- title: (\S.*))");
    static const std::regex param(
        R"(-- param: (\w+) (snapshot|glob|text|integer|stack|package|(?:one|name)-of:\S+) = (\S+) +(\S.*))");
    static const std::regex pivot(R"(-- pivot: \w+ \w+ \w+( = \S+)?)");
    static const std::regex columns(
        R"(-- ((total|implied|filters):( \w+)+|(chart|caption|unit): .+))");
    static const std::regex text(R"(-- (\S.*))");
    Header header;
    for (const std::string& line : lines_of(sql)) {
        std::smatch match;
        if (std::regex_match(line, match, title)) {
            header.title = match[1];
        } else if (std::regex_match(line, match, param)) {
            header.parameters.push_back({match[1], match[2], match[3]});
        } else if (std::regex_match(line, pivot)) {
            header.pivot = true;
        } else if (std::regex_match(line, columns)) {
            continue;
        } else if (std::regex_match(line, match, text)) {
            header.description += match[1].str() + "\n";
        } else {
            break;
        }
    }
    return header;
}

struct Report {
    std::string name;
    std::string sql;
    Header header;
};

std::vector<Report> reports() {
    std::vector<Report> all;
    for (const auto& file : fs::recursive_directory_iterator(folder)) {
        if (file.path().extension() == ".sql") {
            const std::string name =
                file.path().lexically_relative(folder).replace_extension().generic_string();
            const std::string sql = read_file(file.path());
            all.push_back({name, sql, read_header(sql)});
        }
    }
    std::sort(all.begin(), all.end(),
              [](const Report& a, const Report& b) { return a.name < b.name; });
    return all;
}

struct Rows {
    Words columns;
    std::vector<Words> rows;
};

/// A value as a text that tells kinds apart; 22.0 and 22 are one number.
std::string value_text(sqlite3_stmt* statement, int column) {
    switch (sqlite3_column_type(statement, column)) {
        case SQLITE_NULL:
            return "null";
        case SQLITE_INTEGER:
        case SQLITE_FLOAT: {
            char number[64];
            std::snprintf(number, sizeof number, "%.12g", sqlite3_column_double(statement, column));
            return number;
        }
        default: {
            const auto* text = sqlite3_column_text(statement, column);
            return std::string("'") + reinterpret_cast<const char*>(text);
        }
    }
}

/// The library as it comes: nothing registered, nothing of the program.
class Sqlite {
  public:
    explicit Sqlite(const std::string& file) {
        if (sqlite3_open_v2(file.c_str(), &database_, SQLITE_OPEN_READONLY, nullptr) != SQLITE_OK) {
            throw std::runtime_error(file + " can't be opened");
        }
    }
    ~Sqlite() { sqlite3_close(database_); }
    Sqlite(const Sqlite&) = delete;
    Sqlite& operator=(const Sqlite&) = delete;

    /// Texts are bound under the names with their ':'; those that are not given stay NULL.
    Rows query(const std::string& sql, const std::map<std::string, std::string>& texts = {},
               const std::map<std::string, int>& integers = {}) const {
        sqlite3_stmt* raw = nullptr;
        const char* tail = nullptr;
        check(sqlite3_prepare_v2(database_, sql.c_str(), -1, &raw, &tail) == SQLITE_OK, sql);
        const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement(raw,
                                                                              sqlite3_finalize);
        check(std::string(tail).find_first_not_of(" \n") == std::string::npos, "one statement");
        for (const auto& [name, text] : texts) {
            const int index = sqlite3_bind_parameter_index(raw, name.c_str());
            check(sqlite3_bind_text(raw, index, text.c_str(), -1, SQLITE_TRANSIENT) == SQLITE_OK,
                  name);
        }
        for (const auto& [name, integer] : integers) {
            const int index = sqlite3_bind_parameter_index(raw, name.c_str());
            check(sqlite3_bind_int(raw, index, integer) == SQLITE_OK, name);
        }
        Rows result;
        for (int column = 0; column < sqlite3_column_count(raw); ++column) {
            result.columns.emplace_back(sqlite3_column_name(raw, column));
        }
        int state = SQLITE_ROW;
        while ((state = sqlite3_step(raw)) == SQLITE_ROW) {
            Words row;
            for (int column = 0; column < sqlite3_column_count(raw); ++column) {
                row.push_back(value_text(raw, column));
            }
            result.rows.push_back(row);
        }
        check(state == SQLITE_DONE, sql);
        return result;
    }

    /// Runs statements, and reads no rows.
    void execute(const std::string& sql) const {
        for (const char* rest = sql.c_str(); *rest != '\0';) {
            sqlite3_stmt* raw = nullptr;
            check(sqlite3_prepare_v2(database_, rest, -1, &raw, &rest) == SQLITE_OK, rest);
            const int state = sqlite3_step(raw);
            sqlite3_finalize(raw);
            check(state == SQLITE_DONE || state == SQLITE_ROW ||
                      state == SQLITE_MISUSE,  // no more statements
                  sql);
        }
    }

    Rows run(const Report& report) const {
        std::map<std::string, std::string> texts;
        std::map<std::string, int> integers;
        for (const Parameter& parameter : report.header.parameters) {
            std::string name = ":";
            name += parameter.name;
            if (parameter.type == "snapshot") {
                texts[name] = snapshots.at(parameter.name);
            } else if (parameter.type == "integer") {
                integers[name] = std::stoi(parameter.default_value);
            } else if (parameter.default_value != "null") {
                texts[name] = parameter.default_value;
            }
        }
        return query(report.sql, texts, integers);
    }

    /// The names of a statement's parameters, without their ':'.
    Words parameters(const std::string& sql) const {
        sqlite3_stmt* raw = nullptr;
        check(sqlite3_prepare_v2(database_, sql.c_str(), -1, &raw, nullptr) == SQLITE_OK, sql);
        Words names;
        for (int index = 1; index <= sqlite3_bind_parameter_count(raw); ++index) {
            const char* const name = sqlite3_bind_parameter_name(raw, index);
            names.emplace_back(name == nullptr ? "?" : name + 1);
        }
        sqlite3_finalize(raw);
        std::sort(names.begin(), names.end());
        return names;
    }

  private:
    void check(bool done, const std::string& what) const {
        if (!done) {
            throw std::runtime_error(what + ": " + sqlite3_errmsg(database_));
        }
    }

    sqlite3* database_ = nullptr;
};

/// The rows of `report NAME --format json`, in the same form.
Rows rows_of_program(const Workbench& bench, const Sqlite& sqlite, const Report& report) {
    const Run run = bench.run({"report", report.name, "--format", "json"});
    if (run.status != 0) {
        throw std::runtime_error(report.name + ": " + run.err);
    }
    const Rows cells = sqlite.query(
        "SELECT r.key, c.key, c.value FROM json_each(:json) r JOIN json_each(r.value) c",
        {{":json", run.out}});
    Rows result;
    for (const Words& cell : cells.rows) {
        const auto row = static_cast<std::size_t>(std::stoul(cell[0]));
        result.rows.resize(row + 1);
        result.rows[row].push_back(cell[2]);
        if (row == 0) {
            result.columns.push_back(cell[1].substr(1));
        }
    }
    return result;
}

}  // namespace

TEST_CASE("Every report says what it is") {
    const auto all = reports();
    CHECK(all.size() >= 20);
    for (const Report& report : all) {
        INFO(report.name);
        CHECK(report.sql.rfind("-- title: ", 0) == 0);
        CHECK_FALSE(report.header.title.empty());
        CHECK_FALSE(report.header.description.empty());
        CHECK_FALSE(contains(report.header.description, "param:"));
        CHECK_FALSE(report.header.parameters.empty());
    }
}

TEST_CASE("Every report runs as it stands and gives the rows of the program") {
    const SampleBench bench;
    for (const Report& report : reports()) {
        INFO(report.name);
        const Sqlite sqlite(bench.file("cacheledger.db").string());
        Words declared;
        for (const Parameter& parameter : report.header.parameters) {
            declared.push_back(parameter.name);
        }
        std::sort(declared.begin(), declared.end());
        if (contains(report.sql, "\n-- The program fills ")) {
            sqlite.execute(bench.run({"report", report.name, "--sql"}).out);
        }
        CHECK(sqlite.parameters(report.sql) == declared);

        const Rows plain = sqlite.run(report);
        CHECK((plain.rows.size() <= 1 || contains(report.sql, "ORDER BY")));
        const Rows program = rows_of_program(bench, sqlite, report);
        if (report.header.pivot) {
            // One row for each of the row keys, which come first.
            Words keys;
            for (const Words& row : plain.rows) {
                if (std::find(keys.begin(), keys.end(), row[0]) == keys.end()) {
                    keys.push_back(row[0]);
                }
            }
            CHECK(program.rows.size() == keys.size());
        } else {
            CHECK(program.rows.size() == plain.rows.size());
            CHECK((program.columns == plain.columns || plain.rows.empty()));
            CHECK(program.rows == plain.rows);
        }
    }
}

// SQLite 3.40 makes 1.01 of round(1.005, 2), and 3.46 makes 1.0. A share of survival is a product
// of floating-point numbers, which no half is told of.
TEST_CASE("No report rounds a quotient by what another SQLite does otherwise") {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        const std::string text = entry.is_regular_file() ? read_file(entry.path()) : "";
        INFO(entry.path());
        CHECK((!contains(text, "round(") || entry.path().filename() == "survival-curve.sql"));
    }
}

TEST_CASE("The views have the columns that are promised, first and in this order") {
    const std::map<std::string, Words> promised = {
        {"snapshots",
         {"snapshot_id", "name", "tag", "series", "taken_at", "source", "packages", "specs"}},
        {"specs",
         {"snapshot_id", "snapshot", "tag", "taken_at", "package", "version", "hash", "compiler",
          "compiler_name", "compiler_version", "os", "platform", "target", "variants", "stacks"}},
        {"spec_stacks", {"snapshot_id", "snapshot", "package", "hash", "stack"}},
        {"spec_variants", {"hash", "package", "name", "value"}},
        {"changes", {"snapshot_id", "snapshot", "series", "taken_at", "package", "hash", "change"}},
        {"pages", {"snapshot_id", "snapshot", "package", "path", "digest", "num_specs"}},
        {"findings", {"snapshot_id", "snapshot", "package", "path", "kind", "detail"}},
    };
    const SampleBench bench;
    const Sqlite sqlite(bench.file("cacheledger.db").string());
    for (const auto& [view, columns] : promised) {
        INFO(view);
        Words found = sqlite.query("SELECT * FROM " + view + " LIMIT 1").columns;
        CHECK(found.size() >= columns.size());
        found.resize(std::min(found.size(), columns.size()));
        CHECK(found == columns);
        CHECK(sqlite
                  .query("SELECT 1 FROM sqlite_schema WHERE type = 'view' AND name = :name",
                         {{":name", view}})
                  .rows.size() == 1);
    }
}

TEST_CASE("The views say the same of the sample pages as a count by hand") {
    const SampleBench bench;
    const Sqlite sqlite(bench.file("cacheledger.db").string());
    const auto number = [&](const std::string& sql) { return sqlite.query(sql).rows.at(0).at(0); };
    CHECK(number("SELECT count(*) FROM snapshots") == "2");
    CHECK(number("SELECT count(*) FROM specs WHERE taken_at = '2025-02-10T00:00:00Z'") == "51");
    CHECK(number("SELECT count(*) FROM specs WHERE taken_at = '2025-03-10T00:00:00Z'") == "339");
    CHECK(number("SELECT count(DISTINCT compiler) FROM specs") == "3");
    CHECK(number("SELECT count(*) FROM spec_stacks WHERE stack = 'e4s-neoverse_v1'") == "6");
    CHECK(number("SELECT count(*) FROM spec_stacks WHERE stack = 'root'") == "390");
    CHECK(number("SELECT count(*) FROM pages") == "5");
    CHECK(number("SELECT count(*) FROM findings") == "0");
    CHECK(number("SELECT count(*) FROM changes WHERE change = 'added'") == "390");
    CHECK(number("SELECT count(*) FROM changes WHERE change = 'removed'") == "51");
}

TEST_CASE("A report runs in the sqlite3 shell") {
    if (run_command({"sqlite3", "-version"}).status != 0) {
        WARN("the sqlite3 shell is not installed");
        return;
    }
    const SampleBench bench;
    std::string script = ".mode csv\n.header on\n";
    script += ".param set :at \"'develop@2025-03-10T00:00:00Z'\"\n";
    script += ".param set :package \"'*'\"\n.param set :stack NULL\n";
    script += read_file(folder / "coverage/compilers.sql");
    const Run shell = run_command({"sqlite3", "-batch", "-readonly", "cacheledger.db"},
                                  {bench.folder(), script, {}, false});
    const Run own = bench.run({"report", "coverage/compilers", "--format", "csv"});
    INFO(shell);
    CHECK(shell.status == 0);
    std::string text = shell.out;  // the shell ends the lines of CSV with CR and LF
    text.erase(std::remove(text.begin(), text.end(), '\r'), text.end());
    CHECK(text == own.out);
    CHECK(lines_of(text).size() == 4);
}

TEST_CASE("What report --sql prints runs in the sqlite3 shell and gives the report's rows") {
    if (run_command({"sqlite3", "-version"}).status != 0) {
        WARN("the sqlite3 shell is not installed");
        return;
    }
    const SampleBench bench;
    const Words filter = {"--target", "x86_64_v3:", "--compiler", "gcc@13"};
    for (const Report& report : reports()) {
        INFO(report.name);
        const bool filters = contains(report.sql, "asked_looks");
        CHECK(filters == contains(report.sql, "\n-- filters: looks\n"));
        Words words = {"report", report.name};
        words.insert(words.end(), filter.begin(), filters ? filter.end() : filter.begin());
        const auto run = [&](const Words& more) {
            Words all = words;
            all.insert(all.end(), more.begin(), more.end());
            return bench.run(all);
        };
        const Run shell = done(run_command(
            {"sqlite3", "-batch", "-bail", "-readonly", "cacheledger.db"},
            {bench.folder(), ".mode csv\n.header on\n" + done(run({"--sql"})).out, {}, false}));
        CHECK(shell.err.empty());
        if (!report.header.pivot && !shell.out.empty()) {
            // The shell quotes more, ends lines with CR and LF, and writes 100 as 100.0.
            const auto plain = [](const std::string& csv) {
                return std::regex_replace(csv, std::regex("[\"\r]|\\.0(?![0-9])"), "");
            };
            const Run own = run({"--format", "csv"});
            CHECK(plain(shell.out) == plain(own.out));
        }
    }
}

}  // namespace sql_files_test
