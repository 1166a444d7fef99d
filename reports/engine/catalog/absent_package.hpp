#pragma once

#include <SQLiteCpp/Database.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cacheledger {

/// Asks a ledger for names: the first column of the rows of a statement that SQLite and PostgreSQL
/// can run.
using AskNames = std::function<std::vector<std::string>(const std::string& sql)>;

/// Asks a ledger in a file.
AskNames ask_names_of(SQLite::Database& database);

/// Why builds that the ledger knows are in no snapshot: "it is external", "other builds only depend
/// on it". `which`: a condition on the package k and the spec x of such a build.
std::string why_in_no_snapshot(const AskNames& ask, const std::string& which);

/// Says that none of these snapshots has a build of the package, which the ledger knows: with the
/// names of theirs that are near, and the series that have it, the newest first. `package`: a name,
/// or a pattern for GLOB. Returns nullopt if a snapshot has one, or if the ledger knows no such
/// package.
std::optional<std::string> note_on_absent_package(const AskNames& ask,
                                                  const std::vector<std::string>& snapshots,
                                                  const std::string& package);

/// The same for each of these packages.
std::vector<std::string> notes_on_absent_packages(const AskNames& ask,
                                                  const std::vector<std::string>& snapshots,
                                                  const std::vector<std::string>& packages);

}  // namespace cacheledger
