#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "ingest/sources/http/http_cache.hpp"

/// The sizes of single builds of a mirror, which the index of a mirror far away does not say. What
/// comes in is hashes; the mirror is asked for a small file of each build, and the ledger keeps
/// what it says.
namespace cacheledger {

/// What the name of a build's file is made of. What the ledger does not know is empty.
struct SizedBuild {
    std::string hash, package, version;
    std::string arch;      ///< "linux-ubuntu22.04-x86_64_v3"
    std::string compiler;  ///< "gcc-13.2.0"
};

/// Sizes in bytes, by hash.
using BuildSizes = std::map<std::string, std::uint64_t>;

/// Those of these hashes that the ledger describes and knows no size of. Throws SQLite::Exception.
std::vector<SizedBuild> builds_without_size(const SQLite::Database& database,
                                            const std::vector<std::string>& hashes);

/// What a mirror said.
struct AskedSizes {
    BuildSizes sizes;
    std::size_t missing = 0;            ///< builds that the mirror has no file of, or does not show
    std::vector<std::string> problems;  ///< of builds that it could not be asked for, a line each
};

/// Asks the mirror that this place names, as `ingest` takes it: a folder, a URL, the index of
/// either, or an OCI registry. Of layout 3 it reads the manifest of each build, of layouts 1 and 2
/// the size of its archive, of a registry the image's manifest; eight at a time. Where many can't
/// be asked in a row, it does not ask for the others. `progress`: called with how many are done,
/// and of how many. `http` is called from several threads. Throws InputError and HttpError where
/// the place is no mirror, or can't be reached, and what `progress` and that of `http` throw.
AskedSizes ask_mirror(const std::string& mirror, const std::vector<SizedBuild>& builds,
                      const HttpOptions& http,
                      const std::function<void(std::size_t done, std::size_t all)>& progress);

/// Gives these sizes to builds that the ledger describes and knows none of. Throws
/// SQLite::Exception; then nothing is kept.
void keep_sizes(SQLite::Database& database, const BuildSizes& sizes);

}  // namespace cacheledger
