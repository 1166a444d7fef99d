#include "src/commands/report/sql_for_postgresql.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "reports/postgresql/schemas/published_schema.hpp"
#include "reports/postgresql/translation/composition.hpp"
#include "schema/errors/error.hpp"
#include "schema/sqlite/statements/rows.hpp"

namespace cacheledger {

namespace {

constexpr std::array<std::string_view, 2> engines = {"sqlite", "postgresql"};

}  // namespace

std::vector<std::string> engines_of_sql() {
    return {engines.begin(), engines.end()};
}

bool is_for_postgresql(const ParsedOptions& parsed) {
    if (!parsed.has("sql") && (parsed.has("for") || parsed.has("ledger"))) {
        throw UsageError("--for and --ledger go with --sql");
    }
    const std::string engine = parsed.text("for").value_or("sqlite");
    if (std::ranges::count(engines, engine) == 0) {
        throw UsageError(fmt::format("--for {}: expected {}", engine, fmt::join(engines, " or ")));
    }
    if (engine == "sqlite" && parsed.has("ledger")) {
        throw UsageError("--ledger goes with --for postgresql");
    }
    return engine == "postgresql";
}

std::string sql_for_postgresql(SQLite::Database& database, const Report& report,
                               const Arguments& arguments, const LookFilter& filter,
                               const std::string& ledger) {
    std::optional<std::vector<std::int64_t>> looks;
    if (filter.asks_for_looks()) {
        looks = all_values<std::int64_t>(database, "SELECT look_id FROM asked_looks");
    }
    const std::string path = ledger.empty() ? ""
                                            : fmt::format("SET search_path = {};\n",
                                                          PublishedName(ledger).search_path());
    return path + report_for_postgresql(report, arguments, looks);
}

}  // namespace cacheledger
