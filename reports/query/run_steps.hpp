#pragma once

#include <SQLiteCpp/Database.h>

#include <string>

#include "reports/query/run_query.hpp"

namespace cacheledger {

/// Runs statements of the program's own in order, such as those that make temporary tables. A
/// statement gets those of `arguments` that it names. Returns the text of the statements with the
/// values filled in, so that it runs in any SQLite shell. Throws SQLite::Exception, Interrupted if
/// a progress handler stopped it, and std::out_of_range if an argument is missing.
std::string run_steps(const SQLite::Database& database, const std::string& sql,
                      const Arguments& arguments);

}  // namespace cacheledger
