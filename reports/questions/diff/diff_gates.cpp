#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reports/engine/catalog/known_names.hpp"
#include "reports/questions/diff/diff.hpp"
#include "reports/questions/diff/diff_groups.hpp"
#include "schema/text/counted.hpp"
#include "schema/text/number.hpp"

namespace cacheledger {

std::vector<std::string> diff_gate_names() {
    auto names = change_kinds();
    names.insert(names.end(), {"spec-added", "spec-removed"});
    for (const std::string_view cause : cause_words) {
        if (std::ranges::find(names, cause) == names.end()) {  // `rebuilt` is both
            names.emplace_back(cause);
        }
    }
    return names;
}

namespace {

constexpr std::size_t most_named = 5;

bool is_cause(const std::string& name) {
    const auto kinds = change_kinds();
    return std::ranges::find(cause_words, name) != cause_words.end() &&
           std::ranges::find(kinds, name) == kinds.end();
}

// "hwloc (2 specs), mpich (1 spec), 3 more": the packages of a kind, or the stacks.
std::string names_of_kind(const Diff& diff, const std::string& kind) {
    std::vector<std::string> named;
    std::size_t more = 0;
    for (const DiffSection& section : diff.sections) {
        if (std::ranges::find(section.kinds, kind) == section.kinds.end()) {
            continue;
        }
        const ResultTable groups = groups_by_impact(section);
        const auto counts = std::ranges::find_if(groups.columns, [](const std::string& column) {
            return column == "specs" || column == "added";
        });
        for (const auto& row : groups.rows) {
            if (std::get<std::string>(row[0]) != kind) {
                continue;
            }
            if (named.size() == most_named) {
                ++more;
                continue;
            }
            std::int64_t specs = 0;
            for (auto column = static_cast<std::size_t>(counts - groups.columns.begin());
                 column < row.size(); ++column) {
                specs += integer(row[column]);
            }
            named.push_back(fmt::format("{} ({})", to_text(row[1]), counted(specs, "spec")));
        }
    }
    if (more > 0) {
        named.push_back(fmt::format("{} more", more));
    }
    return fmt::format("{}", fmt::join(named, ", "));
}

Gate judge_kind(const Diff& diff, const std::string& kind) {
    const std::int64_t count = count_of(diff, kind);
    if (count == 0) {
        return {kind, false, "none"};
    }
    const std::string names = names_of_kind(diff, kind);
    return {kind, true,
            fmt::format("{} {}{}{}", grouped(count), kind, names.empty() ? "" : ": ", names)};
}

Gate judge_cause(const Diff& diff, const std::string& cause) {
    for (const auto& row : diff.causes.rows) {
        const auto added = integer(row[1]);
        const auto removed = integer(row[2]);
        if (std::get<std::string>(row[0]) == cause && added + removed > 0) {
            return {cause, true,
                    fmt::format("{} added and {} removed with the cause {}", grouped(added),
                                grouped(removed), cause)};
        }
    }
    return {cause, false, "none"};
}

/// Whether it is more, by more than what calculating with them rounds: 1194 of 12000 are 9.95 %.
bool is_over(double percent, double gate) {
    constexpr double rounding = 1e-9;
    return percent > gate + rounding;
}

// Two digits at least, and as many as tell it from the gate: "8.3", "0.012", "5.04".
std::string fall_text(double percent, double gate) {
    const int most_digits = 9;
    for (int digits = 1; digits < most_digits; ++digits) {
        std::string text = percent < 1 ? fmt::format("{:.{}g}", percent, digits + 1)
                                       : fmt::format("{:.{}f}", percent, digits);
        if (is_over(parse_number<double>(text).value_or(percent), gate) == is_over(percent, gate)) {
            return text;
        }
    }
    return fmt::format("{}", percent);
}

Gate judge_fall(const Diff& diff, const AskedGate& gate) {
    const auto before = static_cast<double>(diff.compared_from);
    const auto fall = static_cast<double>(diff.compared_from - diff.compared_to);
    const std::string numbers = fmt::format("from {} to {}", grouped(diff.compared_from),
                                            counted(diff.compared_to, "spec"));
    if (fall <= 0) {
        return {gate.name, false, numbers};
    }
    const double percent = 100 * fall / before;
    return {gate.name, is_over(percent, *gate.percent),
            fmt::format("{} % fewer, {}", fall_text(percent, *gate.percent), numbers)};
}

}  // namespace

std::vector<Gate> judge(const Diff& diff, const std::vector<AskedGate>& gates) {
    std::vector<Gate> judged;
    judged.reserve(gates.size());
    for (const AskedGate& gate : gates) {
        judged.push_back(gate.percent          ? judge_fall(diff, gate)
                         : is_cause(gate.name) ? judge_cause(diff, gate.name)
                                               : judge_kind(diff, gate.name));
    }
    return judged;
}

}  // namespace cacheledger
