#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/engine/catalog/report.hpp"
#include "reports/engine/query/run_query.hpp"
#include "reports/postgresql/reading/published_ledger.hpp"
#include "reports/render/table/result_table.hpp"

namespace cacheledger {

/// The ids of the looks that a filter asks for; nullopt: all.
using AskedLookIds = std::optional<std::vector<std::int64_t>>;

/// Runs a report in PostgreSQL: what run_report() (reports/engine/run/run_report.hpp) does in a
/// file. Not for the report drift/why, whose statements make temporary tables. Throws UsageError if
/// the SQL of the report is at fault, or is a user's own and the role may do more than read, and
/// what PostgresConnection throws.
ResultTable run_published_report(PublishedLedger& ledger, const Report& report, Arguments arguments,
                                 const AskedLookIds& looks);

/// The SQL that run_published_report() runs, with the values of the parameters filled in, for psql.
std::string published_report_sql(const Report& report, Arguments arguments,
                                 const AskedLookIds& looks);

/// Runs a user's own query. `origin`: the name of its file, for messages. Throws UsageError if the
/// query is at fault or does not read, if its parameters are not those of `arguments`, and if the
/// role may do more than read.
ResultTable run_published_query(PublishedLedger& ledger, const std::string& origin,
                                const std::string& sql, const Arguments& arguments,
                                std::size_t most_rows);

}  // namespace cacheledger
