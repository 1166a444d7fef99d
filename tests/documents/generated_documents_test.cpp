#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "reports/engine/catalog/catalog.hpp"
#include "schema/ledger/description/schema_parts.hpp"
#include "tests/documents/datasette_metadata.hpp"
#include "tests/documents/schema_page.hpp"
#include "tests/paths.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/ledgers/report_rows.hpp"

namespace generated_documents_test {

// docs/schema.md and docs/metadata.json, which are written from what the program knows.
using namespace cacheledger;

namespace {

const std::filesystem::path docs = std::filesystem::path(paths::data) / "../../docs";

std::string read(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
}

bool renewing() {
    const char* const variable = std::getenv("CACHELEDGER_RENEW_EXPECTED");
    return variable != nullptr && std::string(variable) == "1";
}

Lines lines_of(const std::string& text) {
    Lines lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    return lines;
}

/// Compares by lines, so that a failure shows the first that differs.
void check_document(const std::string& name, const std::string& now) {
    INFO("docs/" << name << "; tests/expected/README.txt says how it is written again");
    if (renewing()) {
        std::ofstream(docs / name, std::ios::binary) << now;
        return;
    }
    const Lines is = lines_of(read(docs / name));
    const Lines should_be = lines_of(now);
    const auto at = std::mismatch(is.begin(), is.end(), should_be.begin(), should_be.end());
    INFO("line " << at.first - is.begin() + 1);
    CHECK((at.first == is.end() ? "(the end)" : *at.first) ==
          (at.second == should_be.end() ? "(the end)" : *at.second));
}

/// What a canned query gives where nothing is filled in, as Datasette runs it.
Lines rows_of_query(TempLedger& ledger, const std::string& sql) {
    SQLite::Statement query(ledger.database(), sql);
    for (int i = 1; i <= query.getBindParameterCount(); ++i) {
        query.bind(i, "");
    }
    Lines lines;
    while (query.executeStep()) {
        std::string line;
        for (int i = 0; i < query.getColumnCount(); ++i) {
            const auto column = query.getColumn(i);
            line += (i == 0 ? "" : "|") + (column.isNull() ? "NULL" : column.getString());
        }
        lines.push_back(line);
    }
    return lines;
}

}  // namespace

TEST_CASE("The generated documents are up to date") {
    check_document("schema.md", schema_page());
    check_document("metadata.json", datasette_metadata());
}

TEST_CASE("Every public view, and each of its columns, has a text") {
    std::size_t columns = 0;
    for (const SchemaPart& part : schema_parts()) {
        INFO(part.name);
        CHECK_FALSE(part.comment.empty());
        for (const std::string& column : part.columns) {
            INFO(column);
            if (part.is_public) {
                CHECK_FALSE(column_text(part, column).empty());
                ++columns;
            }
        }
        for (const auto& [column, text] : part.texts) {
            INFO(column << ": " << text);
            CHECK(std::ranges::count(part.columns, column) == 1);
        }
    }
    CHECK(columns > 100);
}

TEST_CASE("A canned query of Datasette gives the rows of its report with nothing filled in") {
    TempLedger ledger;
    for (int day = 1; day <= 3; ++day) {
        std::vector<PrintedSpec> specs;
        for (int i = day; i < day + 4; ++i) {
            specs.push_back({.hash = hash_of(std::string(1, static_cast<char>('a' + i))),
                             .version = fmt::format("1.{}", i),
                             .stacks = {i % 2 == 0 ? "e4s" : "e4s-cpu", "root"}});
        }
        ledger.take(fmt::format("2025-03-0{}", day),
                    {{"zlib", specs}, {day == 2 ? "mpich" : "hwloc", {{.hash = hash_of("z")}}}});
    }
    const Catalog catalog;
    std::size_t with_rows = 0;
    for (const Report& report : catalog.reports()) {
        if (!is_canned(report)) {
            continue;
        }
        INFO(report.name);
        Arguments arguments;
        for (const Parameter& parameter : report.parameters) {
            if (parameter.type == ParameterType::snapshot) {
                const int day = parameter.name == "from" ? 2 : 3;
                arguments[parameter.name] = fmt::format("develop@2025-03-0{}T00:00:00Z", day);
            }
        }
        Report plain = report;
        plain.pivot.reset();
        Lines lines;
        for (const auto& row : run_report(ledger.database(), plain, arguments).rows) {
            std::string line;
            for (const Value& value : row) {
                line += fmt::format("{}{}", &value == row.data() ? "" : "|",
                                    is_null(value) ? "NULL" : to_text(value));
            }
            lines.push_back(line);
        }
        const std::string sql = canned_query(report);
        CHECK(sql.find("--") == std::string::npos);
        const Lines canned = rows_of_query(ledger, sql);
        CHECK(canned.size() == lines.size());
        with_rows += canned.empty() ? 0 : 1;
        if (lines != canned) {  // a number may be 22 or 22.0
            for (std::size_t i = 0; i < std::min(lines.size(), canned.size()); ++i) {
                CHECK((lines[i] == canned[i] || canned[i].find(".0") != std::string::npos));
            }
        }
    }
    CHECK(with_rows > 25);
}

TEST_CASE("The metadata of Datasette names tables and columns that a ledger has") {
    const auto metadata = nlohmann::json::parse(read(docs / "metadata.json"));
    const auto& database = metadata.at("databases").at("cacheledger");
    TempLedger ledger;
    for (const auto& [name, table] : database.at("tables").items()) {
        INFO(name);
        const Lines columns =
            ledger.rows("SELECT name FROM pragma_table_xinfo('" + name + "') ORDER BY cid");
        CHECK_FALSE(columns.empty());
        const auto texts = table.value("columns", nlohmann::json::object());
        for (const auto& column : texts.items()) {
            INFO(column.key());
            CHECK(std::ranges::count(columns, column.key()) == 1);
        }
    }
    CHECK(database.at("queries").size() > 40);
}

}  // namespace generated_documents_test
