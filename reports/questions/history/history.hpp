#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/engine/commits/recipe_commits.hpp"
#include "reports/engine/query/run_query.hpp"
#include "reports/render/document/document.hpp"
#include "reports/render/table/result_table.hpp"
#include "schema/specs/queries/spec_query.hpp"

namespace cacheledger {

// This room tells what became of builds. A query comes in. history.cpp finds the builds, by package
// and series; told_scope.cpp tells what happened to those of one package or series, as events
// (event.cpp puts them into words); history_document.cpp makes rows and lines of them.

/// What is before and after, of one cause: the versions that went and that came.
struct BeforeAndAfter {
    std::vector<std::string> before, after;
    std::int64_t added = 0;
    std::int64_t removed = 0;
};

/// How many builds of a package came and went.
struct PackageCounts {
    std::string package;
    std::int64_t came = 0, went = 0;
};

/// What happened to a stack as a whole, when builds of it came and went.
struct StackMarks {
    bool is_born = false;    ///< its first builds, and the series has earlier snapshots
    bool is_back = false;    ///< builds again, after there were none
    bool is_off = false;     ///< no builds any more
    std::string renamed;     ///< with one of these: the stack whose name it had, or has now
    std::int64_t moved = 0;  ///< how many builds only changed that name
    std::vector<std::string> packages_gained, packages_lost;
    std::vector<std::string> compilers_gained, compilers_lost;
    std::vector<std::string> targets_gained, targets_lost;
    std::vector<std::string> wishes_met, wishes_lost;  ///< of the list in force
};

/// What happened at one snapshot to some specs, of one package or of any.
struct HistoryEvent {
    enum Kind {
        start,   ///< the first snapshot of the series that observed the package has them
        change,  ///< compared with the snapshot before
        still,   ///< nothing happened: they are in the newest snapshot
        recipe,  ///< no snapshot: commits touched the recipe of the package
    };
    Kind kind = change;
    std::string snapshot, taken_at, series;  ///< the moment may be that of the newest commit
    std::int64_t moment = 0;                 ///< of a snapshot: taken_at, in seconds since 1970
    std::string package;      ///< empty: they are of any packages, which `packages` tells apart
    std::int64_t builds = 0;  ///< how many of them the snapshot has
    std::int64_t added = 0;   ///< those that came, and that went
    std::int64_t removed = 0;
    bool was_there = false;  ///< an earlier snapshot of the series had some of them
    bool is_of_one = false;  ///< of one hash

    std::vector<std::string> versions;  ///< of those that came, in natural order
    // By cause of drift (schema/sql/views/stack_drift.sql).
    std::int64_t package_added = 0, package_removed = 0;
    BeforeAndAfter version, target, compiler;
    std::vector<std::string> options;  ///< "mpi: true -> false", as drift/variants says
    std::int64_t variants_added = 0, variants_removed = 0;
    std::int64_t rebuilt = 0;
    std::int64_t copies_added = 0, copies_removed = 0;
    std::map<std::string, std::int64_t> joined, left;  ///< specs, by stack

    // Of any packages. The causes above are then not told.
    std::vector<PackageCounts> packages;  ///< those that changed, most builds first
    std::int64_t unknown = 0;             ///< of `added`: whether they are new is not known
    std::optional<StackMarks> stack{};    ///< they are all builds of a stack

    std::vector<RecipeCommit> commits;  ///< of the kind `recipe`, from old to new
};

/// What happened, in words: "4.4.01 -> 4.2.01 (3 removed, 3 added), 2 rebuilt". `most`: how many
/// names of versions, stacks and so on are listed; of more, their number.
std::string event_words(const HistoryEvent& event, std::size_t most);

/// "+mpi -> ~mpi" for "mpi: true -> false"; other texts of drift/variants as they are.
std::string option_words(const std::string& option);

/// "4.4.01 -> 4.2.01", "-> 4.2.01" if nothing went, "4.4.01 ->" if nothing came, empty for neither.
std::string arrow(const BeforeAndAfter& both, std::size_t most);

/// Which builds are asked.
struct AskedHistory {
    SpecQuery query{};  ///< those that match; one for everything needs a stack
    std::optional<std::string> stack = std::nullopt;  ///< only while they are in stacks that match
    /// Only this one; nullopt: all that have such builds, unless the query names neither a package
    /// nor a hash.
    std::optional<std::string> series = std::nullopt;
    std::size_t most = all_rows;  ///< events of each package and series
    std::string typed{};          ///< the text of the query, as the user gave it
    std::string place{};          ///< what the user gave to name the series; empty: nothing
};

/// When a series had builds. The moments are in seconds since 1970.
struct SeenBuilds {
    std::int64_t first = 0, last = 0;  ///< the first snapshot that has some, and the last one
    std::int64_t newest = 0;           ///< how many the newest snapshot has
};

/// What became of the builds that match a spec.
struct SpecHistory {
    std::string asked;                 ///< in one spelling
    std::string place;                 ///< AskedHistory::place
    std::vector<HistoryEvent> events;  ///< by package and series, from old to new
    std::size_t left_out = 0;          ///< events that are older than those
    std::optional<SeenBuilds> seen;    ///< if they are of one series, and not asked for by a hash
    std::vector<std::string>
        remarks;                      ///< what the document leaves out, and why there are no events
    std::optional<std::string> spec;  ///< of a hash, what it is
    bool has_commits = false;         ///< commits of recipes are among the events
};

/// Finds what happened to them: with a package or a hash in the query, by package and with causes;
/// else one line for each snapshot, with the numbers of all packages. With a package, the commits
/// that touched its recipe are events, too, if the ledger has such. Throws UsageError if the
/// query is for everything and there is no stack, or if the ledger has no such package.
SpecHistory find_history(SQLite::Database& database, const Catalog& catalog,
                         const AskedHistory& asked);

/// The events as rows, for formats that give every value. With commits there are two more columns:
/// `kind` ("builds", or "recipe" for commits) and `commits` (their ids, separated by commas).
ResultTable to_table(const SpecHistory& history);

/// For a feed: all but that builds are still there. Its ids follow from what the user asked, and
/// those of events from the builds, series, package, and snapshot or commit, whatever else the
/// ledger has.
Feed feed_of(const SpecHistory& history);

/// The document: for people a line for each event, from old to new.
Document document_of(const SpecHistory& history);

}  // namespace cacheledger
