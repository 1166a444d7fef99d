#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/engine/query/run_query.hpp"
#include "reports/site/files/data_file.hpp"
#include "schema/text/progress.hpp"

namespace cacheledger {

/// The snapshots that the views of a site show first, by their names.
struct SiteSnapshots {
    std::optional<std::string> at;
    std::optional<std::string> from, to;  ///< both or none
};

/// A result of a report that is in the site.
struct WrittenResult {
    std::string report;
    std::vector<std::pair<std::string, Value>> arguments;  ///< all, in the order of the header
    std::string group;                                     ///< the file data/results.GROUP.js
    std::size_t rows = 0;
};

/// The snapshot before this one in its series, by its name; nullopt if it is the first.
std::optional<std::string> snapshot_before(SQLite::Database& database, const std::string& name);

/// The arguments as an object.
std::string arguments_json(const std::vector<std::pair<std::string, Value>>& arguments);

/// Runs the reports behind the first views, and writes their results, a file for each group
/// (reports/site/FORMAT.md, "results.GROUP"). Results that are too large are left out. Throws what
/// run_report() throws. `progress` counts reports.
std::vector<WrittenResult> write_results(SQLite::Database& database, const Catalog& catalog,
                                         const SiteSnapshots& snapshots, const WriteFile& write,
                                         const Progress& progress);

}  // namespace cacheledger
