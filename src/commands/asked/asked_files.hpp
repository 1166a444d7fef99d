#pragma once

#include <SQLiteCpp/Database.h>

#include <string>
#include <vector>

#include "schema/ledger/names/moment.hpp"

/// Files that are asked in the place of snapshots: `diff old.lock spack.lock`.
namespace cacheledger {

/// Whether the word names something that `ingest` reads, if it is no snapshot: a file or a folder
/// that exists, a URL, "-", or what only a path can be ("./a", "spack.lock").
bool names_input(const std::string& word);

/// A file that is now a snapshot.
struct LoadedFile {
    std::string snapshot;            ///< its name: the word, without credentials
    std::vector<std::string> notes;  ///< for the user (src/options/command_line/notes.hpp)
};

/// Loads what the word names into a ledger in memory, as one snapshot in a series of its own. It
/// has the word for its name, so that answers name the file as the user did. Throws InputError if
/// it can't be read, UsageError if it has several snapshots.
LoadedFile load_file(SQLite::Database& memory, const std::string& word, Moment moment);

}  // namespace cacheledger
