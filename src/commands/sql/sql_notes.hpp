#pragma once

#include <SQLiteCpp/Database.h>

#include <string>
#include <vector>

#include "reports/engine/query/run_query.hpp"
#include "reports/render/table/result_table.hpp"

namespace cacheledger {

/// Notes on texts that the user may have meant as a snapshot, but that are not its name: `latest`,
/// a cut moment, a tag, or another text that find_snapshot() resolves to a snapshot of another
/// name. sql compares names as they are, so such a text matches nothing. Bound values are always
/// checked, except that a tag or series counts only if the answer is empty, because it may be
/// meant. Texts in the query are checked only if the answer is empty.
std::vector<std::string> notes_on_snapshots(SQLite::Database& database, const std::string& sql,
                                            const Arguments& arguments, const ResultTable& answer);

/// The error of a query with the tables, views or columns behind it that the user most likely meant
/// by one that is not there, or the option that is missing: "query:1:8: no such column: pakage; did
/// you mean 'package'?".
std::string with_nearest_names(const std::string& problem);

}  // namespace cacheledger
