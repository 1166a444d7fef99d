#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <string>
#include <vector>

#include "reports/catalog/catalog.hpp"
#include "reports/query/run_query.hpp"
#include "reports/table/result_table.hpp"

namespace cacheledger {

/// The rows of one or two kinds of change, as a report of drift/ gives them.
struct DiffSection {
    std::string title;
    std::vector<std::string> kinds;  ///< the words in the column `kind`, of all its rows
    ResultTable table;               ///< its first column is `kind`
};

struct KindCount {
    std::string kind;
    std::int64_t count = 0;  ///< rows of this kind
};

/// What changed between two snapshots (docs/design.md, "Kinds of change").
struct Diff {
    std::string from, to;         ///< names of snapshots
    std::int64_t from_specs = 0;  ///< specs in each, of the stack, whatever the package
    std::int64_t to_specs = 0;
    std::int64_t common_specs = 0;   ///< hashes in both, of the stack, whatever the package
    ResultTable causes;              ///< cause, added, removed
    std::vector<KindCount> summary;  ///< each kind, then spec-added and spec-removed
    std::vector<DiffSection> sections;
    ResultTable unobserved;  ///< kind, package, specs: what is left out (drift/unobserved)

    bool is_empty() const;
};

/// The kinds that the sections have, in their order.
std::vector<std::string> change_kinds();

/// Compares the snapshots that `from` and `to` mean (schema/names/snapshot.hpp). `filters`:
/// arguments for the reports of drift/ beside `from` and `to` (`package`, `stack`). The rows are
/// those that the reports of `catalog` named drift/ give, and the sections have their titles.
/// Throws UsageError for a snapshot that is not there and for another filter; as run_report() does.
Diff compare_snapshots(SQLite::Database& database, const Catalog& catalog, const std::string& from,
                       const std::string& to, const Arguments& filters);

/// What is to be said in words: how many packages are left out, and one or two sentences of what
/// the numbers mean, where they don't speak for themselves.
std::vector<std::string> remarks(const Diff& diff);

/// The first of these, for the rows of drift/unobserved: a sentence for either snapshot.
std::vector<std::string> unobserved_remarks(const ResultTable& unobserved);

/// All rows of all sections in one table, with the columns of all.
ResultTable all_changes(const Diff& diff);

}  // namespace cacheledger
