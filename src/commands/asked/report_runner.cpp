#include "src/commands/asked/report_runner.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/engine/reasons/spec_reasons.hpp"
#include "reports/engine/run/run_report.hpp"
#include "schema/ledger/names/snapshot.hpp"

namespace cacheledger {

namespace {

/// Reports that follow dependencies from spec to spec.
constexpr std::array<std::string_view, 3> reports_on_graph = {"audit/closure", "coverage/missing",
                                                              "coverage/wanted"};

bool is_on_graph(const Report& report) {
    return std::ranges::count(reports_on_graph, report.name) > 0 || SpecReasons::is_read_by(report);
}

}  // namespace

ReportRunner::ReportRunner(AskedLedger& ledger, const LookFilter& filter)
    : ledger_(ledger), asks_for_looks_(filter.asks_for_looks()) {
    if (asks_for_looks_) {
        ledger.need_looks();
    }
    looks_.emplace(ledger.database(), filter);
}

ResultTable ReportRunner::rows(const Report& report, const Arguments& arguments) {
    return runs_in_postgresql(report, arguments)
               ? run_published_report(*ledger_.published(), report, arguments, look_ids())
               : run_report(ledger_.database(), report, arguments);
}

std::string ReportRunner::sql(const Report& report, const Arguments& arguments) {
    return runs_in_postgresql(report, arguments)
               ? published_report_sql(report, arguments, look_ids())
               : looks_->sql() + report_sql(ledger_.database(), report, arguments);
}

// The reports on the graph run over a part of the ledger in memory: reasons need temporary
// tables, which a transaction of PostgreSQL that only reads can't, and PostgreSQL takes up to
// ninety times as long as SQLite for the others, because it can't know how many rows a recursion
// has.
bool ReportRunner::runs_in_postgresql(const Report& report, const Arguments& arguments) {
    if (ledger_.published() == nullptr) {
        return false;
    }
    if (!is_on_graph(report) || !is_of_program(report)) {
        return true;
    }
    std::vector<Snapshot> snapshots;
    for (const Parameter& parameter : report.parameters) {
        if (parameter.type == ParameterType::snapshot) {
            snapshots.push_back(
                find_snapshot(ledger_.database(), to_text(arguments.at(parameter.name))));
        }
    }
    ledger_.need_pair({snapshots.front(), snapshots.back()});
    return false;
}

AskedLookIds ReportRunner::look_ids() const {
    if (!asks_for_looks_) {
        return std::nullopt;
    }
    AskedLookIds ids(std::in_place);
    for (const auto& row :
         run_query(ledger_.database(), "filter", "SELECT look_id FROM asked_looks", {}).rows) {
        ids->push_back(std::get<std::int64_t>(row.at(0)));
    }
    return ids;
}

}  // namespace cacheledger
