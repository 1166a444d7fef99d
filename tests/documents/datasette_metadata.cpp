#include "tests/documents/datasette_metadata.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/engine/run/run_report.hpp"
#include "schema/ledger/description/schema_parts.hpp"
#include "tests/documents/schema_page.hpp"

namespace cacheledger {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* newest =
    "SELECT name FROM snapshot WHERE kind IN ('pages', 'index') "
    "OR NOT EXISTS (SELECT 1 FROM snapshot WHERE kind IN ('pages', 'index')) "
    "ORDER BY taken_at DESC, tag <> 'develop', name LIMIT 1";

/// The name of the snapshot that a default means, in SQL.
std::string default_snapshot(const Report& report, const std::string& text) {
    if (text == "latest") {
        return fmt::format("({})", newest);
    }
    if (text == "latest-lock") {
        return fmt::format(
            "coalesce((SELECT name FROM snapshot WHERE kind = 'lock' "
            "ORDER BY taken_at DESC, name LIMIT 1), ({}))",
            newest);
    }
    const auto to = std::ranges::find(report.parameters, "to", &Parameter::name);
    if (text != "{to}~1" || to == report.parameters.end()) {
        throw std::invalid_argument(report.name + ": no SQL for the default " + text);
    }
    return fmt::format(
        "(SELECT b.name FROM snapshot t JOIN snapshot b ON b.series_id = t.series_id AND "
        "b.taken_at < t.taken_at WHERE t.name = coalesce(nullif(:to, ''), ({})) "
        "ORDER BY b.taken_at DESC LIMIT 1)",
        newest);
}

std::string quoted(const std::string& text) {
    std::string result = "'";
    for (const char letter : text) {
        result += std::string(letter == '\'' ? 2 : 1, letter);
    }
    return result + "'";
}

/// The value of a parameter in SQL: what is given, else its default.
std::string value_of(const Report& report, const Parameter& parameter) {
    const std::string given = fmt::format("nullif(:{}, '')", parameter.name);
    const Value value = parameter.default_value.value_or(Value{});
    if (is_null(value)) {
        return given;
    }
    if (parameter.type == ParameterType::integer) {
        return fmt::format("CAST(coalesce({}, {}) AS INTEGER)", given, to_text(value));
    }
    return fmt::format("coalesce({}, {})", given,
                       parameter.type == ParameterType::snapshot
                           ? default_snapshot(report, to_text(value))
                           : quoted(to_text(value)));
}

/// The line without its comment. A "--" in a text begins none.
std::string without_comment(const std::string& line) {
    bool in_text = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        in_text = in_text != (line[i] == '\'');
        if (!in_text && line.compare(i, 2, "--") == 0) {
            return line.substr(0, line.find_last_not_of(' ', i == 0 ? 0 : i - 1) + 1);
        }
    }
    return line;
}

std::string without_comments(const std::string& sql) {
    std::string text;
    std::istringstream lines(sql);
    for (std::string line; std::getline(lines, line);) {
        const std::string code = line.starts_with("--") ? "" : without_comment(line);
        if (code.find_first_not_of(" -") != std::string::npos) {
            text += code + "\n";
        }
    }
    return text.substr(0, text.find_last_not_of(" ;\n") + 1);
}

std::string one_line(std::string text) {
    std::ranges::replace(text, '\n', ' ');
    return text;
}

Json table_of(const SchemaPart& part) {
    Json table = {{"description", one_line(words_of_comment(part.comment))}};
    for (const std::string& column : part.columns) {
        if (const std::string text = column_text(part, column); !text.empty()) {
            table["columns"][column] = text;
        }
    }
    if (part.type == "view" && !part.is_public) {
        table["hidden"] = true;
    }
    return table;
}

Json query_of(const Report& report) {
    Json query = {{"title", report.title},
                  {"description", one_line(report.description)},
                  {"sql", canned_query(report)},
                  {"params", Json::array()}};
    for (const Parameter& parameter : report.parameters) {
        query["params"].push_back(parameter.name);
    }
    return query;
}

/// "coverage/by-package" -> "coverage-by-package": the name is part of a URL.
std::string name_of(const Report& report) {
    std::string name = report.name;
    std::ranges::replace(name, '/', '-');
    return name;
}

}  // namespace

bool is_canned(const Report& report) {
    return filled_tables(report).empty();
}

std::string canned_query(const Report& report) {
    const std::string sql = without_comments(report.sql);
    std::string text;
    for (std::size_t i = 0; i < sql.size(); ++i) {
        const auto parameter =
            sql[i] == ':' ? std::ranges::find_if(
                                report.parameters,
                                [&](const Parameter& one) {
                                    const std::size_t end = i + 1 + one.name.size();
                                    return sql.compare(i + 1, one.name.size(), one.name) == 0 &&
                                           (end >= sql.size() ||
                                            (std::isalnum(sql[end]) == 0 && sql[end] != '_'));
                                })
                          : report.parameters.end();
        if (parameter == report.parameters.end()) {
            text += sql[i];
        } else {
            text += value_of(report, *parameter);
            i += parameter->name.size();
        }
    }
    return text;
}

std::string datasette_metadata() {
    Json tables, queries;
    for (const SchemaPart& part : schema_parts()) {
        tables[part.name] = table_of(part);
    }
    const Catalog catalog;
    for (const Report& report : catalog.reports()) {
        if (is_canned(report)) {
            queries[name_of(report)] = query_of(report);
        }
    }
    const Json metadata = {{"title", "A ledger of a Spack build cache"},
                           {"databases",
                            {{"cacheledger",
                              {{"description", "What a Spack build cache held, and when"},
                               {"tables", tables},
                               {"queries", queries}}}}}};
    return metadata.dump(2) + "\n";
}

}  // namespace cacheledger
