#pragma once

#include <SQLiteCpp/Database.h>

#include <string>

#include "reports/questions/wanted/wanted_graph.hpp"

namespace cacheledger {

/// Finds out what `text` names: standard input ("-"), a URL, a file, a snapshot of the ledger, or a
/// folder with a lock file or an install database, in this order. What a file is, its content
/// tells. Throws UsageError if it is none of these, and InputError if it can't be read or asks for
/// nothing. `option`: what messages call the place where it was typed.
WantedInput read_wanted(SQLite::Database& database, const std::string& text,
                        const std::string& option = "coverage:");

/// Whether `text` is "-", a URL or a file that is there.
bool names_wanted_file(const std::string& text);

/// The same for what is no snapshot. Throws InputError if it can't be read or asks for nothing.
WantedInput read_wanted_file(SQLite::Database& database, const std::string& text);

}  // namespace cacheledger
