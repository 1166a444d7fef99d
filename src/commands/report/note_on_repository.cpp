#include "src/commands/report/note_on_repository.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "reports/engine/catalog/absent_package.hpp"
#include "schema/errors/hint.hpp"

namespace cacheledger {

namespace {

// Each report of package repositories reads one of these.
constexpr std::array<std::string_view, 4> repository_tables = {"wish_states", "wish_list",
                                                               "recipe_commit", "head_recipe"};

bool reads_one_of(const Report& report, std::span<const std::string_view> tables) {
    return std::ranges::any_of(tables, [&](std::string_view table) {
        return report.sql.find(table) != std::string::npos;
    });
}

}  // namespace

std::vector<std::string> notes_on_no_repository(AskedLedger& ledger, const Report& report,
                                                const ResultTable& table) {
    // Files are asked beside no published ledger, whatever lists that has.
    if (!table.rows.empty() || ledger.has_files() || !reads_one_of(report, repository_tables)) {
        return {};
    }
    const auto names = ask_names_of(ledger.database());
    const auto sources = names("SELECT source FROM package_repository ORDER BY head_at DESC");
    if (sources.empty()) {
        return {fmt::format("the ledger has no package repository; load one with {}",
                            command_hint({"ingest", "REPOSITORY"}))};
    }
    if (reads_one_of(report, std::span(repository_tables).last<1>()) &&
        names("SELECT 'recipes' FROM head_recipe LIMIT 1").empty()) {
        return {fmt::format("the ledger does not have what the recipes say; load them with {}",
                            command_hint({"ingest", sources.front()}))};
    }
    return {};
}

}  // namespace cacheledger
