#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <string>
#include <vector>

#include "schema/text/progress.hpp"

namespace cacheledger {

struct TimesResult {
    std::size_t files = 0;
    std::size_t times = 0;     ///< that were read, in all files
    std::size_t added = 0;     ///< builds, or versions of packages, of which the ledger had no time
    std::size_t changed = 0;   ///< those of which it had another before the run
    std::size_t unpacked = 0;  ///< left out: Spack took them from a build cache
    /// Of each build that has other times later in the run: "zlib@1.3 took 1 s in a.csv, and 2 s in
    /// b.csv". The last ones count.
    std::vector<std::string> contradictions;
};

/// Whether the path is a file of this machine with build times
/// (ingest/sources/kinds/build_times.hpp). False where it can't be read.
bool is_file_of_times(const std::string& path);

/// The files of build times that the path names: itself, or of a folder the
/// `.spack/install_times.json` of each installation below it, by name. What is below an
/// installation, and links, are not looked into. Throws InputError if a folder has none or can't be
/// read.
std::vector<std::string> files_of_times(const std::string& path);

/// Writes the build times of all files ("-": standard input) to the table build_time, in one
/// transaction. Of what is said several times, the last counts. Throws InputError with what is
/// wrong in each file, and then nothing is written.
TimesResult ingest_times(SQLite::Database& database, const std::vector<std::string>& files,
                         const Progress& progress);

}  // namespace cacheledger
