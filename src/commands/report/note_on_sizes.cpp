#include "src/commands/report/note_on_sizes.hpp"

#include <algorithm>

namespace cacheledger {

namespace {

/// Whether a column whose name ends so has a number above 0.
bool counts_any(const ResultTable& table, std::string_view ending) {
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        const bool has_value = std::ranges::any_of(table.rows, [&](const auto& row) {
            const auto* const number = std::get_if<std::int64_t>(&row[column]);
            return number != nullptr && *number > 0;
        });
        if (has_value && table.columns[column].ends_with(ending)) {
            return true;
        }
    }
    return false;
}

}  // namespace

std::optional<std::string> note_on_sizes(const Report& report, const ResultTable& table) {
    if (!report.name.starts_with("sizes/") || !counts_any(table, "unknown") ||
        counts_any(table, "bytes")) {
        return std::nullopt;
    }
    return "No size is known: only a mirror of layout 3 in a folder on this machine gives sizes; "
           "pages, other indexes, lock files and install databases do not.";
}

}  // namespace cacheledger
