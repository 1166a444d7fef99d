#pragma once

#include <SQLiteCpp/Database.h>

#include <span>
#include <string>
#include <vector>

#include "schema/text/embedded_text.hpp"
#include "schema/text/progress.hpp"

namespace cacheledger {

/// schema/ledger/check/rules/*.sql: queries that return one row, with the column `problem`, for
/// each thing that is wrong.
extern const std::span<const EmbeddedText> check_texts;

/// How long a step of the check took.
struct StepTime {
    std::string step;
    double seconds = 0;
};

/// Verifies a ledger: SQLite's own integrity check, the schema, the foreign keys, the invariants of
/// the ledger, and every stored text or count that follows from other columns. Returns one line for
/// each problem, at most `most` of each kind, and no line if all is well. Throws SQLite::Exception
/// if the file can't be read. `progress` counts steps. `other`: another connection to the same
/// file, which does a part of them in a thread: SQLite's own check takes as long as half of the
/// others. `times` gets the steps.
std::vector<std::string> find_problems(SQLite::Database& database, std::size_t most,
                                       const Progress& progress = no_progress,
                                       SQLite::Database* other = nullptr,
                                       std::vector<StepTime>* times = nullptr);

}  // namespace cacheledger
