#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/engine/build_times/build_times.hpp"
#include "reports/engine/catalog/catalog.hpp"
#include "reports/engine/query/run_query.hpp"
#include "reports/engine/reasons/spec_reasons.hpp"
#include "reports/questions/why/why_commits.hpp"
#include "reports/render/document/document.hpp"
#include "reports/render/table/result_table.hpp"

namespace cacheledger {

/// Why specs were rebuilt (docs/design.md, "Why a spec was rebuilt").
struct Why {
    std::string from, to;      ///< names of snapshots, or hashes of specs
    bool is_of_specs = false;  ///< `from` and `to` are hashes
    bool is_of_pages = false;  ///< `to` is a snapshot of pages, which list no dependencies
    std::int64_t rebuilt = 0;  ///< specs that the reasons explain
    /// What it takes to build these; nullopt if the ledger has no build times.
    std::optional<BuildCost> cost = std::nullopt;
    std::int64_t pushed = 0;   ///< added specs that the earlier side had as a dependency
    std::int64_t joined = 0;   ///< added to the stacks that are asked, and in others before
    std::int64_t unknown = 0;  ///< added specs that need a reason and have no known dependencies
    ResultTable apart;         ///< between specs: changes_between_specs()
    ResultTable reasons;       ///< package, hash, class, change, specs, packages, builds, reach
    /// For each reason: equal numbers where the explained specs are the same.
    std::vector<std::int64_t> sets;
    std::vector<ExplainedCause> causes;  ///< those that can need a reason
    /// Specs of the earlier side without known dependencies. What these link or run counts as new.
    std::int64_t unknown_before = 0;
    /// Between two snapshots, if the ledger has commits of a package repository.
    std::optional<WhyCommits> commits = std::nullopt;
};

/// Explains what was rebuilt between two snapshots, as users name them. `filters`: the arguments
/// `package` and `stack` of the report drift/why. Throws UsageError for an unknown snapshot, and
/// what run_report() throws.
Why explain_snapshots(SQLite::Database& database, const Catalog& catalog, const std::string& from,
                      const std::string& to, const Arguments& filters);

/// Explains why the spec `to` is not `from`. Both are hashes that the ledger has.
Why explain_specs(SQLite::Database& database, const std::string& from, const std::string& to);

/// The rows of `reasons`, while the connection has these. `order`: the report drift/why.
Why read_why(const SQLite::Database& database, const SpecReasons& reasons, const Report& order,
             const Arguments& arguments);

/// How many builds have a new hash: "51 rebuilt", "85 new hashes (35 rebuilt, 49 with another
/// compiler, 1 more copy)". Where none is explained: "31 rebuilt, none explained: pages do not list
/// dependencies".
std::string count_explained(const Why& why);

/// "51 rebuilt: 48 because gcc-runtime changed from 13.2.0 to 13.3.0, 3 because the recipe of rust
/// changed.", or nullopt if nothing is explained. Names the first few reasons; those that explain
/// the same specs, together. `names_more`: stands behind the number of the others, such as the
/// command that lists them.
std::optional<std::string> summary_of(const Why& why, const std::string& names_more = "");

/// How many builds are not explained, and why not; nullopt if all are.
std::optional<std::string> unexplained(const Why& why);

/// Sentences about what the document leaves out.
std::vector<std::string> remarks(const Why& why);

/// The document. JSON: {"from", "to", "rebuilt", "pushed", "unknown", "remarks": [...], "reasons":
/// [...]}; with Why::cost also the fields of fields_of_cost(); with why.commits each reason has
/// "commits": [{"commit", "committed_at", "subject"}]. Of two specs, "dependencies" has the rows of
/// why.apart.
Document document_of(const Why& why);

}  // namespace cacheledger
