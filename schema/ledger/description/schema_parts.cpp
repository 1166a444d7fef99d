#include "schema/ledger/description/schema_parts.hpp"

#include <SQLiteCpp/Database.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string_view>
#include <utility>

#include "schema/ledger/file/migration.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz_0123456789";

/// The name at the begin of a line of CREATE TABLE: "  name TEXT NOT NULL,".
std::string first_name(std::string_view code) {
    code.remove_prefix(std::min(code.find_first_not_of(' '), code.size()));
    return std::string(code.substr(0, code.find_first_not_of(letters)));
}

/// The name at the end of a line of SELECT: "  s.name AS snapshot,".
std::string last_name(std::string_view code) {
    code = code.substr(0, code.find_last_not_of(" ,") + 1);
    return std::string(code.substr(code.find_last_not_of(letters) + 1));
}

using Lines = std::vector<std::string>;

Lines columns_of(SQLite::Database& database, const std::string& name) {
    return all_values<std::string>(database, "SELECT name FROM pragma_table_xinfo(?)",
                                   name);  // generated, too
}

SchemaPart view_part(SQLite::Database& database, const EmbeddedText& view) {
    SchemaPart part{std::string(view.name), "view", columns_of(database, std::string(view.name)),
                    "", ""};
    const std::size_t begin = view.text.find("CREATE VIEW");
    part.comment = view.text.substr(0, begin);
    part.sql = view.text.substr(begin, view.text.find_last_not_of('\n') + 1 - begin);
    part.texts = column_texts(part.sql);
    return part;
}

/// The comment above each CREATE TABLE of the migrations, by the name of the table.
std::map<std::string, std::string, std::less<>> comments_of_tables() {
    constexpr std::string_view create = "CREATE TABLE ";
    std::map<std::string, std::string, std::less<>> comments;
    for (const EmbeddedText& migration : migration_texts) {
        std::istringstream lines{std::string(migration.text)};
        std::string comment;
        for (std::string line; std::getline(lines, line);) {
            if (line.starts_with("--")) {
                comment += line + "\n";
                continue;
            }
            if (line.starts_with(create)) {
                comments[line.substr(create.size(),
                                     line.find(' ', create.size()) - create.size())] = comment;
            }
            comment.clear();
        }
    }
    return comments;
}

/// Gives the columns of public views that have no text the one of the first public view with that
/// column.
void share_texts(std::vector<SchemaPart>& parts) {
    ColumnTexts shared;
    for (const SchemaPart& part : parts) {
        if (part.is_public) {
            shared.insert(part.texts.begin(), part.texts.end());
        }
    }
    for (SchemaPart& part : parts) {
        for (const std::string& column : part.columns) {
            const auto text = shared.find(column);
            if (part.is_public && text != shared.end()) {
                part.texts.insert(*text);
            }
        }
    }
}

std::string statements_of(SQLite::Database& database, const std::string& table) {
    std::string all;
    for (const std::string& sql : all_values<std::string>(
             database,
             "SELECT sql FROM sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL "
             "ORDER BY type <> 'table', rowid",
             table)) {
        all += (all.empty() ? "" : "\n") + sql + ";";
    }
    return all;
}

}  // namespace

ColumnTexts column_texts(std::string_view create_statement) {
    const bool is_view = create_statement.starts_with("CREATE VIEW");
    ColumnTexts texts;
    std::istringstream lines{std::string(create_statement)};
    for (std::string line; std::getline(lines, line) && !(is_view && line.starts_with("FROM"));) {
        const std::size_t comment = line.find(" -- ");
        if (comment != std::string::npos && line.find_first_not_of(' ') <= comment) {
            const std::string_view code = std::string_view(line).substr(0, comment);
            texts.emplace(is_view ? last_name(code) : first_name(code), line.substr(comment + 4));
        }
    }
    return texts;
}

std::string comment_words(std::string_view comment) {
    std::string text;
    while (!comment.empty()) {
        const std::size_t end = std::min(comment.find('\n'), comment.size() - 1);
        std::string_view line = comment.substr(0, end);
        line.remove_prefix(std::min(line.find_first_not_of("- "), line.size()));
        text += fmt::format("{}{}", text.empty() || line.empty() ? "" : " ", line);
        comment.remove_prefix(end + 1);
    }
    return text;
}

std::vector<SchemaPart> schema_parts() {
    SQLite::Database fresh(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    migrate(fresh);
    std::vector<SchemaPart> parts;
    for (const EmbeddedText& view : view_texts) {
        parts.push_back(view_part(fresh, view));
        parts.back().is_public = true;
    }
    const auto comments = comments_of_tables();
    for (const std::string& table : all_values<std::string>(
             fresh,
             "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB ? "
             "ORDER BY rowid",
             "sqlite_*")) {
        const auto comment = comments.find(table);
        SchemaPart part{table, "table", columns_of(fresh, table),
                        comment == comments.end() ? "" : comment->second,
                        statements_of(fresh, table)};
        part.texts = column_texts(part.sql);
        parts.push_back(std::move(part));
    }
    for (const EmbeddedText& view : helper_view_texts) {
        parts.push_back(view_part(fresh, view));
    }
    share_texts(parts);
    return parts;
}

}  // namespace cacheledger
