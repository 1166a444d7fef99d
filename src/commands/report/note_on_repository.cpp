#include "src/commands/report/note_on_repository.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "reports/engine/catalog/absent_package.hpp"
#include "schema/errors/hint.hpp"

namespace cacheledger {

namespace {

// Each report of package repositories reads one of these.
constexpr std::array<std::string_view, 3> repository_tables = {"wish_states", "wish_list",
                                                               "recipe_commit"};

bool reads_repositories(const Report& report) {
    return std::ranges::any_of(repository_tables, [&](std::string_view table) {
        return report.sql.find(table) != std::string::npos;
    });
}

}  // namespace

std::vector<std::string> notes_on_no_repository(AskedLedger& ledger, const Report& report,
                                                const ResultTable& table) {
    // Files are asked beside no published ledger, whatever lists that has.
    if (!table.rows.empty() || ledger.has_files() || !reads_repositories(report) ||
        !ask_names_of(ledger.database())("SELECT source FROM package_repository LIMIT 1").empty()) {
        return {};
    }
    return {fmt::format("the ledger has no package repository; load one with {}",
                        command_hint({"ingest", "REPOSITORY"}))};
}

}  // namespace cacheledger
