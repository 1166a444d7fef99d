#include "reports/postgresql/rows/key_rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/engine/server/connection.hpp"
#include "reports/postgresql/rows/copy_lines.hpp"

namespace cacheledger {

namespace {

/// The value as an element of an array in its text form.
void append_element(std::string& elements, const std::string& value, bool is_number) {
    if (!elements.empty()) {
        elements += ',';
    }
    if (is_number) {
        elements += value;
        return;
    }
    elements += '"';
    for (const char c : value) {
        elements += c == '"' || c == '\\' ? "\\" : "";
        elements += c;
    }
    elements += '"';
}

}  // namespace

std::string rows_of_keys(const LedgerTable& table, const std::vector<std::string>& keys) {
    std::vector<std::string> elements(table.key_columns);
    for (const std::string& key : keys) {
        const auto fields = fields_of(key, table.key_columns);
        for (std::size_t column = 0; column < table.key_columns; ++column) {
            append_element(elements[column], field_text(fields[column]),
                           table.columns[column].is_number());
        }
    }
    std::vector<std::string> arrays;
    for (std::size_t column = 0; column < table.key_columns; ++column) {
        arrays.push_back(fmt::format("{}::{}[]", quoted_text("{" + elements[column] + "}"),
                                     table.columns[column].type));
    }
    return fmt::format("unnest({})", fmt::join(arrays, ", "));
}

}  // namespace cacheledger
