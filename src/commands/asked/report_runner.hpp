#pragma once

#include <string>
#include <vector>

#include "reports/engine/catalog/report.hpp"
#include "reports/engine/filters/asked_looks.hpp"
#include "reports/engine/query/run_query.hpp"
#include "reports/postgresql/reading/published_report.hpp"
#include "src/commands/asked/asked_ledger.hpp"

namespace cacheledger {

/// Gives the rows of reports for the builds that a filter asks for, from a file or from PostgreSQL.
/// Throws what run_report() (reports/engine/run/run_report.hpp) and run_published_report() throw.
class ReportRunner {
  public:
    /// `ledger` must outlive this.
    ReportRunner(AskedLedger& ledger, const LookFilter& filter);

    /// Sentences about builds of which it is not known whether the filter asks for them.
    std::vector<std::string> notes() const { return looks_->notes(); }

    ResultTable rows(const Report& report, const Arguments& arguments);

    /// The SQL with the values of its parameters, for the shell of the engine that runs it.
    std::string sql(const Report& report, const Arguments& arguments);

  private:
    bool runs_in_postgresql(const Report& report, const Arguments& arguments);
    AskedLookIds look_ids() const;

    AskedLedger& ledger_;
    bool asks_for_looks_;
    std::optional<AskedLooks> looks_;
};

}  // namespace cacheledger
