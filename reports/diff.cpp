#include "reports/diff.hpp"

#include <SQLiteCpp/Statement.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "reports/diff_rows.hpp"
#include "schema/snapshot.hpp"
#include "schema/statement.hpp"

namespace cacheledger {

namespace {

struct SectionSource {
    const char* report;  ///< has the title
    std::vector<std::string> kinds;
    ResultTable (*rows)(const DiffSource&);
};

const std::vector<SectionSource>& section_sources() {
    static const std::vector<SectionSource> sources = {
        {"drift/packages", {"package-added", "package-removed"}, package_rows},
        {"drift/versions", {"version-added", "version-removed"}, version_rows},
        {"drift/targets", {"target-changed"}, target_rows},
        {"drift/compilers", {"compiler-changed"}, compiler_rows},
        {"drift/variants", {"variants-changed"}, variant_rows},
        {"drift/rebuilt", {"rebuilt"}, rebuilt_rows},
        {"drift/copies", {"copies-changed"}, copies_rows},
        {"drift/stacks", {"stack-joined", "stack-left"}, stack_rows},
    };
    return sources;
}

std::int64_t count_specs(SQLite::Database& database, const std::string& snapshot) {
    SQLite::Statement query(database, "SELECT specs FROM snapshot WHERE name = ?");
    rebind(query, snapshot);
    return query.executeStep() ? query.getColumn(0).getInt64() : 0;
}

std::int64_t count_removed(const std::vector<DriftRow>& rows) {
    return std::count_if(rows.begin(), rows.end(),
                         [](const DriftRow& row) { return row.side == Side::before; });
}

std::int64_t sum(const ResultTable& table, std::size_t column) {
    std::int64_t total = 0;
    for (const auto& row : table.rows) {
        total += std::get<std::int64_t>(row[column]);
    }
    return total;
}

void summarize(Diff& diff) {
    for (const DiffSection& section : diff.sections) {
        for (const std::string& kind : section.kinds) {
            const auto rows = std::count_if(
                section.table.rows.begin(), section.table.rows.end(),
                [&](const auto& row) { return std::get<std::string>(row[0]) == kind; });
            diff.summary.push_back({kind, rows});
        }
    }
    diff.summary.push_back({"spec-added", sum(diff.causes, 1)});
    diff.summary.push_back({"spec-removed", sum(diff.causes, 2)});
}

// Fewer common hashes than this share of the smaller snapshot means that everything was built anew.
constexpr std::int64_t era_percent = 5;

void remark_on_era(const Diff& diff, std::vector<std::string>& said) {
    const std::int64_t smaller = std::min(diff.from_specs, diff.to_specs);
    if (smaller == 0 || diff.common_specs * 100 >= smaller * era_percent) {
        return;
    }
    said.push_back(
        fmt::format("Hardly any hash is common to both ({} of {} and {}): the hash function or the "
                    "whole build changed, not every package.",
                    diff.common_specs, diff.from_specs, diff.to_specs));
}

// "build_system: (none) -> cmake" is about build_system.
std::string option_name(const std::string& change) {
    if (change.starts_with('+') || change.starts_with('~')) {
        return change.substr(1);
    }
    return change.substr(0, change.find(':'));
}

// Where most variant changes are about one and the same option alone, something changed in how
// specs are described, or in all recipes at once (formats.md section 6: build_system), and is said
// once.
void remark_on_common_option(const Diff& diff, std::vector<std::string>& said) {
    constexpr std::size_t fewest_rows = 10;
    for (const DiffSection& section : diff.sections) {
        const auto& columns = section.table.columns;
        const auto column = std::find(columns.begin(), columns.end(), "options");
        if (column == columns.end() || section.table.rows.size() < fewest_rows) {
            continue;
        }
        std::map<std::string, std::size_t> rows_by_option;
        for (const auto& row : section.table.rows) {
            const auto* const options =
                std::get_if<std::string>(&row[static_cast<std::size_t>(column - columns.begin())]);
            if (options != nullptr && options->find("; ") == std::string::npos) {
                ++rows_by_option[option_name(*options)];
            }
        }
        for (const auto& [option, rows] : rows_by_option) {
            if (rows * 2 > section.table.rows.size()) {
                said.push_back(fmt::format(
                    "{} of the {} variant changes are about '{}' alone: one change, not {}.", rows,
                    section.table.rows.size(), option, rows));
            }
        }
    }
}

}  // namespace

bool Diff::is_empty() const {
    return std::all_of(summary.begin(), summary.end(),
                       [](const KindCount& kind) { return kind.count == 0; });
}

std::vector<std::string> change_kinds() {
    std::vector<std::string> all;
    for (const SectionSource& section : section_sources()) {
        all.insert(all.end(), section.kinds.begin(), section.kinds.end());
    }
    return all;
}

Diff compare_snapshots(SQLite::Database& database, const Catalog& catalog, const std::string& from,
                       const std::string& to, const Arguments& filters) {
    Drift drift(database, find_snapshot(database, from), find_snapshot(database, to));
    const DriftFilter filter(database, filters);
    const LookNames names(database);
    const DiffSource source{database, drift, filter, names};
    Diff diff;
    diff.from = from;
    diff.to = to;
    diff.from_specs = count_specs(database, from);
    diff.to_specs = count_specs(database, to);
    diff.common_specs = diff.from_specs - count_removed(drift.rows());
    diff.causes = cause_rows(source);
    for (const SectionSource& section : section_sources()) {
        diff.sections.push_back(
            {catalog.find(section.report).title, section.kinds, section.rows(source)});
    }
    summarize(diff);
    return diff;
}

std::vector<std::string> remarks(const Diff& diff) {
    std::vector<std::string> said;
    if (diff.is_empty()) {
        return said;
    }
    remark_on_era(diff, said);
    remark_on_common_option(diff, said);
    return said;
}

ResultTable all_changes(const Diff& diff) {
    ResultTable all;
    for (const DiffSection& section : diff.sections) {
        for (const std::string& column : section.table.columns) {
            if (std::find(all.columns.begin(), all.columns.end(), column) == all.columns.end()) {
                all.columns.push_back(column);
            }
        }
    }
    for (const DiffSection& section : diff.sections) {
        for (const auto& row : section.table.rows) {
            std::vector<Value> wide(all.columns.size());
            for (std::size_t i = 0; i < row.size(); ++i) {
                const auto column =
                    std::find(all.columns.begin(), all.columns.end(), section.table.columns[i]);
                wide[static_cast<std::size_t>(column - all.columns.begin())] = row[i];
            }
            all.rows.push_back(std::move(wide));
        }
    }
    return all;
}

}  // namespace cacheledger
