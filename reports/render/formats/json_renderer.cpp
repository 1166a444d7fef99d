#include "reports/render/formats/renderers.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>

#include "reports/render/table/text_width.hpp"

namespace cacheledger {

namespace {

/// Whether JSON writes every character of the text unchanged. Nearly every text is of this kind,
/// and is written without nlohmann.
bool is_plain(std::string_view text) {
    // As small as a char, and no early exit: the compiler can check many at a time.
    unsigned char special = 0;
    for (const char c : text) {
        const unsigned char is_special = c < ' ' || c > '~' || c == '"' || c == '\\' ? 1 : 0;
        special = static_cast<unsigned char>(special | is_special);
    }
    return special == 0;
}

void add_string(std::string& line, std::string_view text) {
    if (is_plain(text)) {
        line.append(1, '"').append(text).append(1, '"');
    } else {
        const nlohmann::json json(text);
        constexpr auto replace = nlohmann::json::error_handler_t::replace;
        std::string written = json.dump(-1, ' ', false, replace);
        if (!is_visible(written)) {
            written = json.dump(-1, ' ', true, replace);
        }
        line += written;
    }
}

std::string json_string(const std::string& text) {
    std::string written;
    add_string(written, text);
    return written;
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

/// The object of a row, without its last bracket.
void add_members(std::string& line, const std::vector<std::string>& keys,
                 const std::vector<Value>& row) {
    line += '{';
    for (std::size_t column = 0; column < keys.size(); ++column) {
        line.append(column == 0 ? "" : ", ").append(keys[column]).append(": ");
        add_json(line, row[column]);
    }
}

}  // namespace

// Numbers are not written by nlohmann, which writes 1.0 where the other formats write 1.
void add_json(std::string& line, const Value& value) {
    const auto* real = std::get_if<double>(&value);
    if (const auto* text = std::get_if<std::string>(&value)) {
        add_string(line, *text);
    } else if (is_null(value) || (real != nullptr && !std::isfinite(*real))) {
        line += "null";
    } else {
        line += to_text(value);
    }
}

void render_json_rows(const ResultTable& table, std::string_view& separator, std::ostream& out) {
    const std::vector<std::string> keys = unique_keys(table.columns);
    std::string line;
    for (const auto& row : table.rows) {
        line.assign(separator);
        add_members(line, keys, row);
        out << line << '}';
        separator = ",\n";
    }
}

void render_json_with_lists(const ResultTable& table, const std::string& name,
                            const std::vector<ResultTable>& lists, std::ostream& out) {
    const std::vector<std::string> keys = unique_keys(table.columns);
    std::string line = "[";
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        line += row == 0 ? "\n" : ",\n";
        add_members(line, keys, table.rows[row]);
        line += fmt::format(", {}: [", json_string(name));
        const std::vector<std::string> keys_of_list = unique_keys(lists.at(row).columns);
        std::string_view separator;
        for (const auto& one : lists[row].rows) {
            add_members(line.append(separator), keys_of_list, one);
            line += '}';
            separator = ", ";
        }
        out << line << "]}";
        line.clear();
    }
    out << line << (table.rows.empty() ? "]\n" : "\n]\n");
}

void render_json(const ResultTable& table, std::ostream& out) {
    std::string_view separator = "\n";
    out << '[';
    render_json_rows(table, separator, out);
    out << (table.rows.empty() ? "]\n" : "\n]\n");
}

}  // namespace cacheledger
