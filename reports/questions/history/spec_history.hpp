#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/questions/history/event.hpp"
#include "reports/render/document/document.hpp"
#include "reports/render/table/result_table.hpp"
#include "schema/specs/queries/spec_query.hpp"

namespace cacheledger {

/// What became of the builds that match a spec.
struct SpecHistory {
    std::string asked;                 ///< in one spelling
    std::vector<HistoryEvent> events;  ///< by package and series, from old to new
    std::size_t left_out = 0;          ///< events that are older than those
    std::vector<std::string>
        remarks;                      ///< what the document leaves out, and why there are no events
    std::optional<std::string> spec;  ///< of a hash, what it is
};

/// Finds it in a series; without one, in all that have such builds. `most`: events of each package
/// and series. Throws UsageError if the query names neither a package nor a hash, or if the ledger
/// has no such package.
SpecHistory find_history(SQLite::Database& database, const Catalog& catalog, const SpecQuery& query,
                         const std::optional<std::string>& series, std::size_t most);

/// The events as rows, for formats that give every value.
ResultTable to_table(const SpecHistory& history);

/// The document: for people a line for each event, from old to new.
Document document_of(const SpecHistory& history);

}  // namespace cacheledger
