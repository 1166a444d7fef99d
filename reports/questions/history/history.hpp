#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/engine/query/run_query.hpp"
#include "reports/questions/events/event.hpp"
#include "reports/render/document/document.hpp"
#include "reports/render/table/result_table.hpp"
#include "schema/specs/queries/spec_query.hpp"

namespace cacheledger {

// This room tells what became of builds. A query comes in. history.cpp finds the builds, by package
// and series; told_scope.cpp tells what happened to those of one package or series, as events (room
// reports/questions/events); history_document.cpp makes rows and lines of them.

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
