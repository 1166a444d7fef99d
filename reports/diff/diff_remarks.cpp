#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "reports/diff/diff.hpp"
#include "reports/drift/drift_rows.hpp"

namespace cacheledger {

namespace {

// If the common hashes are fewer than this percentage of the smaller snapshot, all was built again.
constexpr std::int64_t era_percent = 5;

// Then no hash is expected in both: of unlike snapshots, or where specs moved between stacks.
bool has_mostly_other_packages(const Diff& diff) {
    for (const auto& row : diff.causes.rows) {
        if (std::get<std::string>(row[0]) == "package") {
            return std::get<std::int64_t>(row[1]) * 2 > sum_of(diff.causes, 1) &&
                   std::get<std::int64_t>(row[2]) * 2 > sum_of(diff.causes, 2);
        }
    }
    return false;
}

void remark_on_era(const Diff& diff, std::vector<std::string>& said) {
    const std::int64_t smaller = std::min(diff.from_specs, diff.to_specs);
    if (smaller == 0 || diff.common_specs * 100 >= smaller * era_percent ||
        has_mostly_other_packages(diff)) {
        return;
    }
    said.push_back(
        fmt::format("Hardly any hash is common to both ({} of {} and {}): the hash function or the "
                    "whole build changed, not every package.",
                    diff.common_specs, diff.from_specs, diff.to_specs));
}

// Pages counted a stack whose index lists a spec, whether or not its binary was there.
void remark_on_kinds(const Diff& diff, std::vector<std::string>& said) {
    const bool of_both = (diff.from_kind == "pages" && diff.to_kind == "index") ||
                         (diff.from_kind == "index" && diff.to_kind == "pages");
    const bool moves =
        std::any_of(diff.summary.begin(), diff.summary.end(), [](const KindCount& kind) {
            return (kind.kind == "stack-joined" || kind.kind == "stack-left") && kind.count > 0;
        });
    if (of_both && (moves || diff.is_of_stacks)) {
        said.push_back(fmt::format(
            "{} is made from pages, {} from indexes: pages give stacks that only list a spec, "
            "indexes those that have its binary, so specs join and leave stacks here without a "
            "change.",
            diff.from_kind == "pages" ? diff.from : diff.to,
            diff.from_kind == "pages" ? diff.to : diff.from));
    }
}

// The option that a change is about: build_system for "build_system: (none) -> cmake", mpi for
// "~mpi dropped", nullopt for "other combinations of the same values".
std::optional<std::string> option_name(const std::string& change) {
    if (change.starts_with('+') || change.starts_with('~')) {
        return change.substr(1, change.find(' ') - 1);
    }
    const auto colon = change.find(": ");
    return colon == std::string::npos ? std::nullopt : std::optional(change.substr(0, colon));
}

// If most variant changes are about the same single option, the description of specs changed, or
// all recipes at once (`build_system` in docs/formats.md, "Variants"). One sentence says so.
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
                if (const auto option = option_name(*options)) {
                    ++rows_by_option[*option];
                }
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

std::vector<std::string> remarks(const Diff& diff) {
    std::vector<std::string> said = unobserved_remarks(diff.unobserved);
    if (!diff.is_empty()) {
        remark_on_era(diff, said);
        remark_on_common_option(diff, said);
        remark_on_kinds(diff, said);
    }
    if (diff.reasons) {
        said.push_back(*diff.reasons);
    }
    return said;
}

std::vector<std::string> unobserved_remarks(const ResultTable& unobserved) {
    std::vector<std::string> said;
    for (const auto& [kind, when] :
         {std::pair(not_observed_before, "before"), std::pair(not_observed_after, "after")}) {
        if (const auto packages = count_of_kind(unobserved, kind); packages > 0) {
            said.push_back(fmt::format(
                "{} not observed {}, and left out (drift/unobserved lists the packages).",
                packages == 1 ? "1 package was" : fmt::format("{} packages were", packages), when));
        }
    }
    for (const std::string when : {"before", "after"}) {
        if (const auto packages = count_of_kind(unobserved, "stacks-unknown-" + when);
            packages > 0) {
            said.push_back(fmt::format(
                "The pages of {} do not give stacks {}: their specs are in none (drift/unobserved "
                "lists the packages).",
                packages == 1 ? "1 package" : fmt::format("{} packages", packages), when));
        }
    }
    return said;
}

}  // namespace cacheledger
