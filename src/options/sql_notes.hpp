#pragma once

#include <SQLiteCpp/Database.h>

#include <string>
#include <vector>

#include "reports/query/run_query.hpp"
#include "reports/table/result_table.hpp"

namespace cacheledger {

/// Where SQL was given `latest`, a cut moment, a tag or another text that find_snapshot() takes for
/// a snapshot of another name: that it is not that name. Told of values that were bound, and where
/// the answer is empty of texts in the query; of a tag, which may be meant as such, only where the
/// answer is empty.
std::vector<std::string> notes_on_snapshots(SQLite::Database& database, const std::string& sql,
                                            const Arguments& arguments, const ResultTable& answer);

}  // namespace cacheledger
