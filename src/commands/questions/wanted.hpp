#pragma once

#include <SQLiteCpp/Database.h>

#include <string>
#include <vector>

#include "reports/questions/wanted/wanted_graph.hpp"

namespace cacheledger {

/// Finds out what `text` names: standard input ("-"), a URL, a file, a snapshot of the ledger, or a
/// folder with a lock file or an install database, in this order. What a file is, its content
/// tells. Throws UsageError if it is none of these, and InputError if it can't be read or asks for
/// nothing. `option`: what messages call the place where it was typed.
WantedInput read_wanted(SQLite::Database& database, const std::string& text,
                        const std::string& option = "coverage:");

/// What is wanted, and what was not read of folders.
struct ReadInputs {
    std::vector<WantedInput> inputs;
    std::string not_read{};  ///< a sentence; empty if all was read
};

/// The same of each word. Of a folder that is none of these, but has environments, it reads all
/// NAME/spack.lock: those without one, and those that can't be read, are not_read.
ReadInputs read_each_wanted(SQLite::Database& database, const std::vector<std::string>& words);

/// Whether `text` is "-", a URL or a file that is there.
bool names_wanted_file(const std::string& text);

/// The same for what is no snapshot. Throws InputError if it can't be read or asks for nothing.
WantedInput read_wanted_file(SQLite::Database& database, const std::string& text);

}  // namespace cacheledger
