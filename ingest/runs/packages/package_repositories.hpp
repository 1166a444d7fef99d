#pragma once

#include <SQLiteCpp/Database.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "schema/text/progress.hpp"

namespace cacheledger {

struct PackageRepositoryOptions {
    std::vector<std::string> repositories;  ///< their paths, bare or not
    unsigned jobs = 1;                      ///< number of threads that read
};

/// What was read of one package repository.
struct PackageRepositoryResult {
    std::string repository;
    std::size_t commits = 0;            ///< that were not in the ledger
    std::size_t recipes = 0;            ///< that they changed
    std::int64_t stacks = 0;            ///< for which the repository wants something now
    std::int64_t wishes = 0;            ///< that these have
    std::vector<std::string> notes;     ///< lines for the user
    std::vector<std::string> findings;  ///< about the lists as they are now, a line each
};

/// Reads git repositories with recipes and wish lists (docs/formats.md, "Package repositories"):
/// the commits of HEAD's history that are not in the ledger, what they did to recipes, and what the
/// lists wanted along first parents. All in one transaction.
///
/// - A repository is known by its last commit that was read, wherever it lies.
/// - If the history of a repository was rewritten, what the ledger has of it is removed, and it is
///   read again.
/// - If a shallow clone was read, and the repository has older commits now, it is read again.
/// - Commits that another repository gave are not read again.
/// - A list that can't be read stays as it was, and is a finding.
///
/// `progress` gets the number of commits read and of all; it may throw, and then nothing is
/// changed. Throws InputError if a repository has no commits or is damaged; SQLite::Exception if
/// the database fails.
std::vector<PackageRepositoryResult> ingest_package_repositories(
    SQLite::Database& database, const PackageRepositoryOptions& options, const Progress& progress);

}  // namespace cacheledger
