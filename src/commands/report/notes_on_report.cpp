#include "src/commands/report/notes_on_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "reports/engine/catalog/known_names.hpp"
#include "reports/render/table/result_table.hpp"
#include "schema/errors/hint.hpp"
#include "schema/text/counted.hpp"

namespace cacheledger {

namespace {

bool says_nothing(const ResultTable& table) {
    return std::ranges::all_of(table.rows, [](const auto& row) {
        return std::ranges::none_of(row, [](const Value& value) {
            return is_number(value) && value != Value(std::int64_t{0}) && value != Value(0.0);
        });
    });
}

// Each report of package repositories reads one of these.
constexpr std::array<std::string_view, 4> repository_tables = {"wish_states", "wish_list",
                                                               "recipe_commit", "head_recipe"};

constexpr const char* select_unread =
    "SELECT source FROM package_repository WHERE package_repository_id NOT IN "
    "(SELECT package_repository_id FROM head_recipe) ORDER BY head_at DESC, source";

// A row for each namespace; there are few. Builds as in sql/audit/recipes.sql.
constexpr const char* select_not_judged =
    "SELECT r.namespace, count(*) FROM present_specs p "
    "CROSS JOIN asked_looks l ON l.look_id = p.look_id "
    "CROSS JOIN node n ON n.spec_id = p.spec_id "
    "CROSS JOIN recipe r ON r.recipe_id = n.recipe_id "
    "WHERE p.snapshot = :at AND r.external = 0 AND glob(:package, p.package) "
    "AND r.namespace NOT IN (SELECT k.namespace FROM head_recipe h "
    "JOIN recipe_package k ON k.recipe_package_id = h.recipe_package_id) "
    "GROUP BY r.namespace ORDER BY r.namespace";

bool reads_one_of(const Report& report, std::span<const std::string_view> tables) {
    return std::ranges::any_of(tables, [&](std::string_view table) {
        return report.sql.find(table) != std::string::npos;
    });
}

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

std::vector<std::string> notes_on_package(AskedLedger& ledger, const Report& report,
                                          const Arguments& arguments, const ResultTable& table) {
    std::vector<std::string> snapshots;
    std::string package = "*";
    for (const Parameter& parameter : report.parameters) {
        if (parameter.type == ParameterType::snapshot) {
            snapshots.push_back(to_text(arguments.at(parameter.name)));
        } else if (parameter.name == "package") {
            package = to_text(arguments.at(parameter.name));
        }
    }
    return package != "*" && says_nothing(table)
               ? notes_on_absent_packages(ask_names_of(ledger.database()), snapshots, {package})
               : std::vector<std::string>();
}

std::vector<std::string> notes_on_recipes(AskedLedger& ledger, const Report& report,
                                          const Arguments& arguments) {
    if (!reads_one_of(report, std::span(repository_tables).last<1>())) {
        return {};
    }
    std::vector<std::string> notes;
    for (const std::string& source : ask_names_of(ledger.database())(select_unread)) {
        notes.push_back(
            fmt::format("the ledger does not have what the recipes of {} say; load them with {}",
                        source, command_hint({"ingest", source})));
    }
    // A report of the user may have other parameters.
    const auto at = arguments.find("at");
    const auto package = arguments.find("package");
    if (at == arguments.end() || package == arguments.end()) {
        return notes;
    }
    const ResultTable builds = run_query(ledger.database(), report.name, select_not_judged,
                                         {{"at", at->second}, {"package", package->second}});
    for (const auto& row : builds.rows) {
        const std::int64_t number = integer(row[1]);
        notes.push_back(
            fmt::format("{} of the namespace {} {} not judged: the ledger has no recipes of it",
                        counted(number, "build"), to_text(row[0]), words_for(number, "is", "are")));
    }
    return notes;
}

std::vector<std::string> notes_on_no_repository(AskedLedger& ledger, const Report& report,
                                                const ResultTable& table) {
    // Files are asked beside no published ledger, whatever lists that has.
    if (!table.rows.empty() || ledger.has_files() || !reads_one_of(report, repository_tables) ||
        !ask_names_of(ledger.database())("SELECT source FROM package_repository LIMIT 1").empty()) {
        return {};
    }
    return {fmt::format("the ledger has no package repository; load one with {}",
                        command_hint({"ingest", "REPOSITORY"}))};
}

std::optional<std::string> note_on_sizes(const Report& report, const ResultTable& table) {
    if (!report.name.starts_with("sizes/") || !counts_any(table, "unknown") ||
        counts_any(table, "bytes")) {
        return std::nullopt;
    }
    return "No size is known: only a mirror of layout 3 in a folder on this machine gives sizes; "
           "pages, other indexes, lock files and install databases do not.";
}

}  // namespace cacheledger
