#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <string>
#include <vector>

namespace cacheledger {

/// Checks the pages of a ledger against the specs that packages have while these pages are in
/// force. A page that was made from a state (an index, a lock file, an install database) has the
/// digest of that state. Any other page stands for the same specs and stacks wherever it is in
/// force. Returns at most `most` lines, one for each page or interval that is wrong. Throws
/// SQLite::Exception.
std::vector<std::string> state_problems(SQLite::Database& database, std::size_t most);

}  // namespace cacheledger
