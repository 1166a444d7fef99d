#include "reports/render/table/alike_columns.hpp"

#include <algorithm>
#include <utility>

#include "reports/render/table/text_width.hpp"

namespace cacheledger {

namespace {

bool is_alike(const ResultTable& table, std::size_t column) {
    return std::ranges::all_of(
        table.rows, [&](const auto& row) { return row[column] == table.rows.front()[column]; });
}

}  // namespace

std::vector<AlikeColumn> take_alike_columns(ResultTable& table,
                                            const std::vector<std::string>& kept) {
    if (table.rows.size() < 2) {
        return {};
    }
    std::vector<AlikeColumn> alike;
    ResultTable rest;
    rest.rows.resize(table.rows.size());
    rest.is_cut = table.is_cut;
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        const std::string& name = table.columns[column];
        if (std::ranges::count(kept, name) == 0 && is_alike(table, column)) {
            alike.push_back({name, table.rows.front()[column]});
            continue;
        }
        rest.columns.push_back(name);
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            rest.rows[row].push_back(std::move(table.rows[row][column]));
        }
    }
    table = std::move(rest);
    return alike;
}

std::string alike_line(const std::string& label, const std::vector<std::string>& words,
                       std::size_t width) {
    const std::size_t indent = display_width(label);
    std::string text = label;
    std::size_t used = indent;
    for (const std::string& word : words) {
        const std::size_t needed = 1 + display_width(word);
        if (width > 0 && used > indent && used + needed > width) {
            text.append(1, '\n').append(indent, ' ');
            used = indent;
        }
        text.append(1, ' ').append(word);
        used += needed;
    }
    return text.append(1, '\n');
}

}  // namespace cacheledger
