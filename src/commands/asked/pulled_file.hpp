#pragma once

#include <filesystem>
#include <string>

#include "reports/postgresql/pulling/pull.hpp"

namespace cacheledger {

/// Makes the file what is published: a new one, or what changed since. Shows a line of progress.
/// Throws what begin_pull(), pull_whole() and pull_changes() throw, UsageError or DatabaseError if
/// the file can't be written, and Interrupted; then the file is as it was.
PullResult pull_file(const std::string& url, const PublishedName& name,
                     const std::filesystem::path& file);

/// Where asked_file() keeps its copies.
std::filesystem::path folder_of_copies();

/// The copy of one ledger, whether or not it is there. A URL with another user has another copy, as
/// that may see another ledger. Throws UsageError if no ledger can have the name.
std::filesystem::path copy_of(const std::string& url, const std::string& ledger);

/// The file that answers for the values of --db and --ledger. A file is itself. For the URL of a
/// server it is a copy in the user's cache folder ($XDG_CACHE_HOME/cacheledger, else
/// ~/.cache/cacheledger), after what changed was fetched: so every answer comes from a file, and
/// is of a state that the server has now. A copy that is damaged is made anew. Only its user may
/// read it.
///
/// Throws UsageError if the server has no such ledger, or if none is named: the message names
/// those that are there; else like pull_file().
std::filesystem::path asked_file(const std::filesystem::path& database, const std::string& ledger);

}  // namespace cacheledger
