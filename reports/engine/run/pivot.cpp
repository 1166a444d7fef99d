#include "reports/engine/run/pivot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "schema/specs/spelling/version_order.hpp"

namespace cacheledger {

namespace {

std::size_t column_index(const ResultTable& table, const std::string& name) {
    const auto found = std::ranges::find(table.columns, name);
    if (found == table.columns.end()) {
        throw std::invalid_argument(fmt::format("pivot: the query gives no column '{}'", name));
    }
    return static_cast<std::size_t>(found - table.columns.begin());
}

std::string heading(const Value& key) {
    return is_null(key) ? "NULL" : to_text(key);
}

/// The order of column keys. A key in parentheses, such as '(no stack)', stands for no value and
/// comes last. Versions and compilers are in natural order.
struct ColumnOrder {
    std::string name;  ///< of the column that has the keys

    static bool is_none(const Value& key) {
        const auto* const text = std::get_if<std::string>(&key);
        return text != nullptr && text->starts_with('(');
    }
    Value sort_key(const Value& key) const {
        const auto* const text = std::get_if<std::string>(&key);
        if (text == nullptr || (name != "version" && name != "compiler")) {
            return key;
        }
        if (name == "version") {
            return version_sort_key(*text);
        }
        const auto at = text->find('@');
        return compiler_sort_key(text->substr(0, at), at == std::string::npos
                                                          ? std::nullopt
                                                          : std::optional(text->substr(at + 1)));
    }
    bool operator()(const Value& a, const Value& b) const {
        return is_none(a) == is_none(b) ? std::pair(sort_key(a), a) < std::pair(sort_key(b), b)
                                        : is_none(b);
    }
};

}  // namespace

ResultTable pivot(const ResultTable& table, const Pivot& pivot) {
    const std::size_t row_key = column_index(table, pivot.rows);
    const std::size_t column_key = column_index(table, pivot.columns);
    const std::size_t value = column_index(table, pivot.values);

    ResultTable matrix{{pivot.rows}, {}};
    matrix.is_matrix = true;
    std::map<Value, std::size_t, ColumnOrder> columns(ColumnOrder{pivot.columns});
    for (const auto& row : table.rows) {
        columns.emplace(row[column_key], 0);
    }
    for (auto& [key, column] : columns) {
        column = matrix.columns.size();
        matrix.columns.push_back(heading(key));
    }

    std::map<Value, std::size_t> rows;
    std::set<std::pair<std::size_t, std::size_t>> taken;  // a cell may hold NULL
    for (const auto& row : table.rows) {
        const auto [place, is_new] = rows.emplace(row[row_key], matrix.rows.size());
        if (is_new) {
            matrix.rows.emplace_back(matrix.columns.size(), pivot.absent).front() = row[row_key];
        }
        const std::size_t column = columns.at(row[column_key]);
        if (!taken.emplace(place->second, column).second) {
            throw std::invalid_argument(fmt::format("pivot: two values for {} '{}', {} '{}'",
                                                    pivot.rows, heading(row[row_key]),
                                                    pivot.columns, heading(row[column_key])));
        }
        matrix.rows[place->second][column] = row[value];
    }
    return matrix;
}

}  // namespace cacheledger
