#include "reports/json_renderer.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>

namespace cacheledger {

namespace {

std::string json_string(const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Numbers are not left to nlohmann, which writes 1.0 where the other formats have 1.
std::string json_value(const Value& value) {
    if (const auto* text = std::get_if<std::string>(&value)) {
        return json_string(*text);
    }
    const auto* real = std::get_if<double>(&value);
    if (is_null(value) || (real != nullptr && !std::isfinite(*real))) {
        return "null";
    }
    return to_text(value);
}

std::vector<std::string> unique_keys(const std::vector<std::string>& columns) {
    std::set<std::string> taken(columns.begin(), columns.end());
    std::set<std::string> seen;
    std::vector<std::string> keys;
    for (const std::string& name : columns) {
        std::string key = name;
        if (!seen.insert(name).second) {
            for (int number = 1; !taken.insert(key).second; ++number) {
                key = fmt::format("{}:{}", name, number);
            }
        }
        keys.push_back(json_string(key));
    }
    return keys;
}

}  // namespace

void render_json_rows(const ResultTable& table, std::string_view& separator, std::ostream& out) {
    const std::vector<std::string> keys = unique_keys(table.columns);
    for (const auto& row : table.rows) {
        out << separator << '{';
        const char* comma = "";
        for (std::size_t column = 0; column < keys.size(); ++column) {
            out << comma << keys[column] << ": " << json_value(row[column]);
            comma = ", ";
        }
        out << '}';
        separator = ",\n";
    }
}

void render_json(const ResultTable& table, std::ostream& out) {
    std::string_view separator = "\n";
    out << '[';
    render_json_rows(table, separator, out);
    out << (table.rows.empty() ? "]\n" : "\n]\n");
}

}  // namespace cacheledger
