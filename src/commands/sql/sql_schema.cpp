#include "src/commands/sql/sql_schema.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>
#include <vector>

#include "schema/errors/hint.hpp"
#include "schema/ledger/description/schema_parts.hpp"
#include "schema/ledger/names/nearest.hpp"

namespace cacheledger {

namespace {

constexpr std::size_t most_width = 100;

std::vector<SchemaPart> parts_called(const std::optional<std::string>& name) {
    std::vector<SchemaPart> parts = schema_parts();
    if (!name) {
        return parts;
    }
    std::vector<std::string> names;
    names.reserve(parts.size());
    for (const SchemaPart& part : parts) {
        names.push_back(part.name);
    }
    if (std::ranges::find(names, *name) == names.end()) {
        refuse_unknown("table or view", *name, names,
                       "to see all: " + command_hint({"sql", "--schema"}));
    }
    std::erase_if(parts, [&](const SchemaPart& part) { return part.name != *name; });
    return parts;
}

// "  a, b,\n  c": the columns in lines that fit.
std::string folded(const std::vector<std::string>& columns) {
    std::string text = " ";
    std::size_t width = 1;
    for (const std::string& column : columns) {
        const std::string word =
            fmt::format(" {}{}", column, &column == &columns.back() ? "" : ",");
        if (width + word.size() > most_width) {
            text += "\n ";
            width = 1;
        }
        text += word;
        width += word.size();
    }
    return text;
}

void print_text(const std::vector<SchemaPart>& parts, bool is_whole, std::ostream& out) {
    for (const SchemaPart& part : parts) {
        out << (&part == &parts.front() ? "" : "\n") << part.comment;
        if (part.type == "view" && !is_whole) {
            out << fmt::format("CREATE VIEW {} (\n{}\n) AS ...;\n", part.name,
                               folded(part.columns));
            continue;
        }
        out << part.sql << "\n";
        if (part.type == "view") {
            out << fmt::format("/* {}({}) */\n", part.name, fmt::join(part.columns, ","));
        }
    }
}

}  // namespace

void print_schema(const std::optional<std::string>& name, const Output& output) {
    const auto parts = parts_called(name);
    if (output.format() == Format::table) {
        output.write([&](std::ostream& out) { print_text(parts, name.has_value(), out); });
        return;
    }
    ResultTable table{{"name", "type", "columns", "about"}, {}};
    for (const SchemaPart& part : parts) {
        table.rows.push_back({part.name, part.type, fmt::format("{}", fmt::join(part.columns, ",")),
                              comment_words(part.comment)});
    }
    output.write(table, "Tables and views");
}

}  // namespace cacheledger
