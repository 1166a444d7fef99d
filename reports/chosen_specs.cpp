#include "reports/chosen_specs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace cacheledger {

std::vector<ChosenSpec> choose(const DiffSource& source, Cause cause) {
    std::vector<ChosenSpec> chosen;
    for (const DriftRow& row : source.drift.rows()) {
        if (row.cause == cause && source.filter.has(row)) {
            chosen.push_back({row, source.drift.looks().find(row.look_id)});
        }
    }
    return chosen;
}

std::int64_t count_of(std::span<const ChosenSpec> specs, Side side) {
    return std::count_if(specs.begin(), specs.end(),
                         [&](const ChosenSpec& spec) { return spec.row.side == side; });
}

Value joined(const std::vector<std::string>& texts) {
    return texts.empty() ? Value() : Value(fmt::format("{}", fmt::join(texts, ",")));
}

}  // namespace cacheledger
