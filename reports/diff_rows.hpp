#pragma once

#include <SQLiteCpp/Database.h>

#include <vector>

#include "reports/drift.hpp"
#include "reports/drift_filter.hpp"
#include "reports/names.hpp"
#include "reports/result_table.hpp"

/// The rows that the reports of drift/ (sql/drift/*.sql) give for one pair of snapshots, each made
/// from what the drift has found already. `diff` wants all of them at once, and SQL would sort and
/// look up the same rows anew for each. The reports say what a row means; tests compare the two.
namespace cacheledger {

struct DiffSource {
    const SQLite::Database& database;
    Drift& drift;
    const DriftFilter& filter;
    const LookNames& names;
};

ResultTable cause_rows(const DiffSource& source);     ///< drift/summary
ResultTable package_rows(const DiffSource& source);   ///< drift/packages
ResultTable version_rows(const DiffSource& source);   ///< drift/versions
ResultTable target_rows(const DiffSource& source);    ///< drift/targets
ResultTable compiler_rows(const DiffSource& source);  ///< drift/compilers
ResultTable variant_rows(const DiffSource& source);   ///< drift/variants
ResultTable rebuilt_rows(const DiffSource& source);   ///< drift/rebuilt
ResultTable copies_rows(const DiffSource& source);    ///< drift/copies
ResultTable stack_rows(const DiffSource& source);     ///< drift/stacks

}  // namespace cacheledger
