#include "tests/documents/schema_page.hpp"

#include <SQLiteCpp/Database.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <vector>

#include "schema/ledger/description/schema_parts.hpp"
#include "schema/ledger/file/migration.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

constexpr std::string_view head = R"(# The schema of a ledger

A ledger is one SQLite file. Its public views are stable: columns may be added at their end, never renamed or removed.
Its tables may change with a version of the program. `cacheledger sql --schema` prints the same texts, and
`cacheledger sql --schema NAME` the SQL of one table or view. [design.md](design.md) explains the words and the ideas, and
[cookbook.md](cookbook.md) has examples. [metadata.json](metadata.json) has the same texts for Datasette.

This page is generated from the ledger. After a change of the schema it is written again:

```
CACHELEDGER_RENEW_EXPECTED=1 build/tests/cacheledger_tests 'The generated documents*'
```

)";

bool is_table(const std::vector<SchemaPart>& parts, const std::string& name) {
    return std::ranges::any_of(
        parts, [&](const SchemaPart& part) { return part.name == name && part.type == "table"; });
}

/// The table whose id a column with this name holds; empty if there is none.
std::string table_of_id(const std::string& column) {
    static const std::vector<SchemaPart> parts = schema_parts();
    const std::string table = column.ends_with("_id") ? column.substr(0, column.size() - 3) : "";
    return is_table(parts, table) ? table : "";
}

/// A text as Markdown shows it.
std::string escaped(std::string_view text) {
    std::string result;
    bool in_code = false;
    for (const char letter : text) {
        in_code = in_code != (letter == '`');
        if (!in_code && (letter == '*' || letter == '<' || letter == '|')) {
            result += '\\';
        }
        result += letter;
    }
    return result;
}

/// Paragraphs; what is indented, as code.
std::string paragraphs(const std::string& comment) {
    std::string text;
    bool in_code = false;
    std::istringstream lines(words_of_comment(comment));
    for (std::string line; std::getline(lines, line);) {
        const bool is_code = line.starts_with("  ");
        if (is_code != in_code) {
            text += "```\n";
            in_code = is_code;
        }
        text += (is_code ? line.substr(2) : escaped(line)) + "\n";
    }
    return text + (in_code ? "```\n" : "");
}

/// The declared type of each column; empty for those of views.
std::map<std::string, std::string> types_of(SQLite::Database& database, const std::string& table) {
    return rows<std::string, std::string>(
               database,
               "SELECT name, type || iif(pk > 0, ', key', iif(\"notnull\", '', ', may be NULL')) "
               "FROM pragma_table_xinfo(?)",
               table)
        .to<std::map<std::string, std::string>>();
}

std::string section(const SchemaPart& part, SQLite::Database& database) {
    std::string text = fmt::format("### {}\n\n{}\n", part.name, paragraphs(part.comment));
    const bool is_view = part.type == "view";
    const auto types = types_of(database, part.name);
    text += is_view ? "| column | meaning |\n|---|---|\n"
                    : "| column | type | meaning |\n|---|---|---|\n";
    for (const std::string& column : part.columns) {
        text += fmt::format("| `{}` |{} {} |\n", column,
                            is_view ? "" : fmt::format(" {} |", types.at(column)),
                            escaped(column_text(part, column)));
    }
    return text + "\n";
}

/// Which table holds the ids of which.
std::string diagram(const std::vector<SchemaPart>& parts) {
    std::string text = "```mermaid\nerDiagram\n";
    for (const SchemaPart& part : parts) {
        for (const std::string& column : part.columns) {
            const std::string table = part.type == "table" ? table_of_id(column) : "";
            if (!table.empty() && table != part.name) {
                text += fmt::format("  {} ||--o{{ {} : \"\"\n", table, part.name);
            }
        }
    }
    return text + "```\n";
}

}  // namespace

std::string words_of_comment(std::string_view comment) {
    std::string text;
    std::istringstream lines{std::string(comment)};
    bool goes_on = false;
    for (std::string line; std::getline(lines, line);) {
        line.erase(0, line.starts_with("-- ") ? 3 : 2);
        const bool is_indented = line.starts_with("  ");
        text += goes_on && !is_indented && !line.empty() ? " " : (text.empty() ? "" : "\n");
        text += line;
        goes_on = !is_indented && !line.empty();
    }
    return text;
}

std::string column_text(const SchemaPart& part, const std::string& column) {
    const auto text = part.texts.find(column);
    if (text != part.texts.end()) {
        return text->second;
    }
    const std::string table = table_of_id(column);
    return table.empty() || table == part.name ? "" : fmt::format("the id of a row of `{}`", table);
}

std::string schema_page() {
    SQLite::Database ledger(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    migrate(ledger);
    const std::vector<SchemaPart> parts = schema_parts();
    std::string text(head);
    const auto add = [&](const std::string& heading, auto belongs) {
        text += heading;
        for (const SchemaPart& part : parts) {
            text += belongs(part) ? section(part, ledger) : "";
        }
    };
    add("## Public views\n\n", [](const SchemaPart& part) { return part.is_public; });
    text +=
        "## Tables\n\nAn arrow leads from a table to those that hold its ids.\n\n" + diagram(parts);
    add("\n", [](const SchemaPart& part) { return part.type == "table"; });
    add("## Views for the reports\n\nThey are not a promise.\n\n",
        [](const SchemaPart& part) { return part.type == "view" && !part.is_public; });
    text.pop_back();
    return text;
}

}  // namespace cacheledger
