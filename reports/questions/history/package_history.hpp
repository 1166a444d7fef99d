#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "reports/engine/catalog/catalog.hpp"
#include "reports/questions/history/event.hpp"
#include "schema/text/embedded_text.hpp"

namespace cacheledger {

/// The .sql files of reports/questions/history, compiled in.
extern const std::span<const EmbeddedText> history_texts;

/// Specs of one package in one series.
struct HistoryScope {
    std::int64_t package_id = 0;
    std::string package;
    std::int64_t series_id = 0;
    std::string series;
    std::vector<std::int64_t> specs;
    bool is_of_one = false;  ///< they are asked for by a hash
};

/// What happened to them, from old to new; the newest `most` events. `left_out` counts the others.
/// The causes are those of the reports of drift/ from each snapshot to the next one.
std::vector<HistoryEvent> package_history(SQLite::Database& database, const Catalog& catalog,
                                          const HistoryScope& scope, std::size_t most,
                                          std::size_t& left_out);

}  // namespace cacheledger
