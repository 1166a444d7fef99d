#pragma once

#include <SQLiteCpp/Database.h>

#include <string>
#include <vector>

#include "reports/questions/coverage/coverage.hpp"
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

/// A folder with environments of Spack below it, as `spack env create` makes them: a folder each,
/// with a spack.yaml, and, once it is concretized, a spack.lock.
struct EnvironmentFolder {
    std::vector<std::string> locks;  ///< NAME/spack.lock of each that has one, by name
    std::vector<std::string>
        without;  ///< the folders of those that have only a spack.yaml, by name

    /// A sentence about `without`, which are not read; empty if there are none.
    std::string not_read() const;
};

/// Finds the environments in `folder`, which may be one without a lock file itself; none if it is
/// no folder, or has a lock file. Throws InputError if it, or a folder in it, can't be read.
EnvironmentFolder environments_in(const std::string& folder);

/// What is wanted, and a sentence about environments of a folder that are not read.
struct ReadInputs {
    std::vector<WantedInput> wanted{};
    std::string not_read{};

    /// Says so, and lets no gate pass.
    void add_to(Coverage& coverage) const;
};

/// Reads each word as read_wanted() does, and of a folder of environments the lock file of each.
ReadInputs read_each_wanted(SQLite::Database& database, const std::vector<std::string>& words);

}  // namespace cacheledger
