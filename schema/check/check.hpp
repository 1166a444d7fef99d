#pragma once

#include <SQLiteCpp/Database.h>

#include <span>
#include <string>
#include <vector>

#include "schema/basics/embedded_text.hpp"

namespace cacheledger {

/// schema/check/rules/*.sql: queries that give a row with the column `problem` for each thing that
/// is wrong.
extern const std::span<const EmbeddedText> check_texts;

/// Verifies the file: SQLite's own integrity, the schema, the foreign keys, the invariants of the
/// ledger, and that every text or count that follows from other columns is what follows from them.
/// Gives a line for each thing that is wrong, at most `most` of each kind; none when all is well.
/// Throws SQLite::Exception where the file can't even be read.
std::vector<std::string> find_problems(SQLite::Database& database, std::size_t most);

}  // namespace cacheledger
