#pragma once

#include <SQLiteCpp/Database.h>

#include <string>
#include <variant>
#include <vector>

#include "reports/questions/wanted/wanted_graph.hpp"
#include "schema/specs/lists/spec_list.hpp"

namespace cacheledger {

/// A text file of specs: a list, or a spack.yaml.
struct WantedList {
    std::string name;  ///< as messages call it
    SpecList specs;
};

/// What a user wants a cache to have: a lock file, an install database, a snapshot of one, a list,
/// or a spack.yaml.
using WantedInput = std::variant<WantedGraph, WantedList>;

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
