#include "reports/questions/diff/diff.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace cacheledger {

namespace {

bool has_column(const ResultTable& table, std::string_view name) {
    return column_of(table, name) < table.columns.size();
}

/// The columns that count specs; none where each row is one spec.
std::vector<std::size_t> count_columns(const ResultTable& table) {
    std::vector<std::size_t> columns;
    for (const char* const name : {"specs", "added", "removed"}) {
        if (has_column(table, name)) {
            columns.push_back(column_of(table, name));
        }
    }
    return columns;
}

std::int64_t count_of_row(const std::vector<Value>& row, const std::vector<std::size_t>& counts) {
    return counts.empty() ? 1
                          : std::accumulate(counts.begin(), counts.end(), std::int64_t{0},
                                            [&](std::int64_t sum, std::size_t column) {
                                                return sum + integer(row[column]);
                                            });
}

void sort_by_impact(ResultTable& table) {
    const auto counts = count_columns(table);
    std::ranges::stable_sort(table.rows, std::ranges::greater(),
                             [&](const auto& row) { return count_of_row(row, counts); });
}

/// Several rows as one.
struct ChangeGroup {
    std::size_t position = 0;  // of its first row
    std::vector<std::int64_t> counts;
    std::set<std::string> others;  // versions, or packages of a stack
    std::int64_t rows = 0;
};

}  // namespace

std::int64_t specs_of_section(const DiffSection& section) {
    const auto counts = count_columns(section.table);
    std::int64_t specs = 0;
    for (const auto& row : section.table.rows) {
        specs += count_of_row(row, counts);
    }
    return specs;
}

std::vector<const DiffSection*> sections_by_impact(const Diff& diff) {
    std::vector<const DiffSection*> sections;
    for (const DiffSection& section : diff.sections) {
        if (!section.table.rows.empty()) {
            sections.push_back(&section);
        }
    }
    std::ranges::stable_sort(sections, std::ranges::greater(),
                             [](const DiffSection* section) { return specs_of_section(*section); });
    return sections;
}

ResultTable rows_by_impact(const DiffSection& section) {
    ResultTable table = section.table;
    sort_by_impact(table);
    return table;
}

ResultTable groups_by_impact(const DiffSection& section) {
    const ResultTable& table = section.table;
    const bool is_of_stacks = has_column(table, "stack");
    const std::size_t key = column_of(table, is_of_stacks ? "stack" : "package");
    const std::size_t other = column_of(table, is_of_stacks ? "package" : "version");
    const bool has_other = other < table.columns.size();
    const auto counts = count_columns(table);
    std::map<std::pair<Value, Value>, ChangeGroup> groups;  // by kind and key
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const auto& cells = table.rows[row];
        ChangeGroup& group = groups[{cells[0], cells[key]}];
        if (group.rows++ == 0) {
            group.position = row;
            group.counts.resize(std::max<std::size_t>(1, counts.size()));
        }
        for (std::size_t i = 0; i < counts.size(); ++i) {
            group.counts[i] += integer(cells[counts[i]]);
        }
        group.counts[0] += counts.empty() ? 1 : 0;
        if (has_other) {
            group.others.insert(to_text(cells[other]));
        }
    }
    std::vector<std::pair<const std::pair<Value, Value>*, const ChangeGroup*>> in_order;
    in_order.reserve(groups.size());
    for (const auto& [name, group] : groups) {
        in_order.emplace_back(&name, &group);
    }
    std::ranges::sort(in_order, {}, [](const auto& entry) { return entry.second->position; });

    ResultTable grouped{{"kind", table.columns[key]}, {}};
    if (has_other) {
        grouped.columns.emplace_back(is_of_stacks ? "packages" : "versions");
    }
    const bool says_rows = !is_of_stacks && counts.size() > 1;
    if (says_rows) {
        grouped.columns.emplace_back("rows");
    }
    if (counts.empty()) {
        grouped.columns.emplace_back("specs");
    }
    for (const std::size_t column : counts) {
        grouped.columns.push_back(table.columns[column]);
    }
    for (const auto& [name, group] : in_order) {
        auto& row = grouped.rows.emplace_back(std::vector<Value>{name->first, name->second});
        if (has_other) {
            row.emplace_back(std::ssize(group->others));
        }
        if (says_rows) {
            row.emplace_back(group->rows);
        }
        row.insert(row.end(), group->counts.begin(), group->counts.end());
    }
    sort_by_impact(grouped);
    return grouped;
}

namespace {

/// Which part of a version changed first.
std::string step_between(const std::string& before, const std::string& after) {
    constexpr std::string_view separators = ".-_";
    constexpr std::string_view digits = "0123456789";
    std::string_view one = before;
    std::string_view other = after;
    for (const char* const step : {"major", "minor", "patch"}) {
        const std::string_view first = one.substr(0, one.find_first_of(separators));
        const std::string_view second = other.substr(0, other.find_first_of(separators));
        if (first != second) {
            const bool are_numbers =
                (std::string(first).append(second)).find_first_not_of(digits) == std::string::npos;
            return are_numbers ? step : "other";
        }
        one.remove_prefix(std::min(first.size() + 1, one.size()));
        other.remove_prefix(std::min(second.size() + 1, other.size()));
    }
    return "patch";
}

/// The versions of a package that went, and that came.
struct VersionPair {
    std::vector<std::string> before, after;
    std::int64_t added = 0, removed = 0;
};

}  // namespace

const DiffSection* section_of_versions(const Diff& diff) {
    const auto found = std::ranges::find_if(diff.sections, [](const DiffSection& section) {
        return section.kinds.front() == "version-added";
    });
    return found == diff.sections.end() ? nullptr : &*found;
}

ResultTable version_pairs(const Diff& diff) {
    ResultTable pairs{{"package", "before", "after", "step", "added", "removed"}, {}};
    const DiffSection* const section = section_of_versions(diff);
    if (section == nullptr) {
        return pairs;
    }
    std::map<std::string, VersionPair> packages;
    for (const auto& row : section->table.rows) {  // kind, package, version, specs
        VersionPair& pair = packages[to_text(row[1])];
        const bool came = to_text(row[0]) == "version-added";
        (came ? pair.after : pair.before)
            .push_back(is_null(row[2]) ? "(no version)" : to_text(row[2]));
        (came ? pair.added : pair.removed) += integer(row[3]);
    }
    const auto all = [](const std::vector<std::string>& versions) {
        return fmt::format("{}", fmt::join(versions, ", "));
    };
    for (const auto& [package, pair] : packages) {
        if (!pair.before.empty() && !pair.after.empty()) {
            pairs.rows.push_back({package, all(pair.before), all(pair.after),
                                  step_between(pair.before.back(), pair.after.back()), pair.added,
                                  pair.removed});
        }
    }
    std::ranges::stable_sort(pairs.rows, {}, [&](const std::vector<Value>& row) {
        const bool is_root = std::ranges::count(diff.root_packages, to_text(row[0])) != 0;
        return std::pair(!is_root, -(integer(row[4]) + integer(row[5])));
    });
    return pairs;
}

DiffSection without_pairs(const DiffSection& section, const ResultTable& pairs) {
    DiffSection rest = section;
    std::erase_if(rest.table.rows, [&](const auto& row) {
        return std::ranges::any_of(pairs.rows, [&](const auto& pair) { return pair[0] == row[1]; });
    });
    return rest;
}

}  // namespace cacheledger
