#include "reports/engine/run/totals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace cacheledger {

namespace {

Value sum(const ResultTable& table, std::size_t column) {
    Value total;
    bool is_partly_unknown = false;
    for (const auto& row : table.rows) {
        const Value& value = row[column];
        if (!is_number(value)) {
            is_partly_unknown = true;
            continue;
        }
        if (is_null(total)) {
            total = value;
            continue;
        }
        auto* const whole = std::get_if<std::int64_t>(&total);
        const auto* const more = std::get_if<std::int64_t>(&value);
        if (whole != nullptr && more != nullptr) {
            if (__builtin_add_overflow(*whole, *more, whole)) {
                return {};
            }
            continue;
        }
        const auto real = [](const Value& number) {
            const auto* const integer = std::get_if<std::int64_t>(&number);
            return integer != nullptr ? static_cast<double>(*integer) : std::get<double>(number);
        };
        total = real(total) + real(value);
    }
    // Nothing known, beside rows to which the number does not apply: 0 would claim to be known.
    return is_partly_unknown && total == Value(std::int64_t{0}) ? Value() : total;
}

}  // namespace

void add_totals(ResultTable& table, const std::vector<std::string>& columns) {
    if (columns.empty()) {
        return;
    }
    table.totals.assign(table.columns.size(), Value());
    for (const std::string& name : columns) {
        const auto found = std::ranges::find(table.columns, name);
        if (found == table.columns.end()) {
            throw std::invalid_argument(fmt::format("total: the query gives no column '{}'", name));
        }
        const auto column = static_cast<std::size_t>(found - table.columns.begin());
        table.totals[column] = sum(table, column);
    }
}

}  // namespace cacheledger
